import { expect, test } from 'vitest'
import { ServiceError, type ErrorCode } from '@perigee/core'
import { pinEverywhere } from './pinEverywhere.js'
import type { PinningNode } from './PinningNode.js'

const node = (name: string, fails?: ErrorCode): PinningNode => ({
  name,
  look: () => Promise.resolve('held'),
  pin: () => (fails ? Promise.reject(new ServiceError(fails, name)) : Promise.resolve()),
})
const pin = (required: number, ...nodes: PinningNode[]) => pinEverywhere(nodes, required, 'cid', new Uint8Array())

test('enough nodes are enough, and those that hold the block are named', async () => {
  expect(await pin(2, node('a'), node('b', 'pin_unavailable'), node('c'))).toEqual([
    { node: 'a', outcome: 'held' },
    { node: 'b', outcome: 'pin_unavailable' },
    { node: 'c', outcome: 'held' },
  ])
})

test('too few is retried as long as enough might still come', async () => {
  await expect(pin(2, node('a'), node('b', 'pin_unavailable'))).rejects.toMatchObject({ code: 'pin_unavailable' })
  await expect(pin(1, node('a', 'pin_rejected'), node('b', 'pin_unavailable'))).rejects.toMatchObject({
    code: 'pin_unavailable',
  })
})

test('too many refusals are a refusal, which may pass', async () => {
  const refused = { code: 'pin_rejected', retryable: true }
  await expect(pin(2, node('a'), node('b', 'pin_rejected'))).rejects.toMatchObject(refused)
  await expect(pin(1, node('a', 'cid_mismatch'), node('b', 'pin_rejected'))).rejects.toMatchObject(refused)
})

test('too many nodes that give other bytes are a permanent failure', async () => {
  const wrong = { code: 'cid_mismatch', retryable: false }
  await expect(pin(1, node('a', 'cid_mismatch'))).rejects.toMatchObject(wrong)
  await expect(pin(2, node('a', 'pin_rejected'), node('b', 'cid_mismatch'))).rejects.toMatchObject(wrong)
})
