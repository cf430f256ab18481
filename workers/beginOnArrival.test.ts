import { defaultPayloadConverter } from '@temporalio/common'
import { expect, test, vi } from 'vitest'
import { workflowIds } from '@perigee/core/workflow'
import { beginOnArrival } from './beginOnArrival.js'

const input = { walletId: 'w-1', digest: '0xab', transaction: { chainId: 1 }, expiresAtMs: 1 } as const
const id = workflowIds.sign(input.walletId, input.digest)
const payload = (value: unknown) => defaultPayloadConverter.toPayload(value)

async function arrive(values: unknown[], workflowId = id, type: 'workflow' | 'activity' = 'workflow') {
  const arrived = vi.fn()
  const codec = beginOnArrival(arrived)
  const payloads = values.map(payload)
  expect(await codec.decode(payloads, { type, namespace: 'n', workflowId, isLocal: true })).toBe(payloads)
  expect(await codec.encode(payloads, { type, namespace: 'n', workflowId, isLocal: true })).toBe(payloads)
  return arrived.mock.calls
}

test('the input of a signing workflow begins its signature', async () => {
  expect(await arrive([input])).toEqual([[input]])
})

test('nothing else begins one', async () => {
  for (const value of [null, 'sign 0xab…', {}, [], { ...input, digest: '0xcd' }, { ...input, transaction: null }]) {
    expect(await arrive([value])).toEqual([])
  }
  expect(await arrive([])).toEqual([])
  expect(await arrive([input, input])).toEqual([])
  expect(await arrive([input], 'receipt/w-1/0xab')).toEqual([])
  expect(await arrive([input], id, 'activity')).toEqual([])
  const arrived = vi.fn()
  await beginOnArrival(arrived).decode([payload(input)])
  expect(arrived).not.toHaveBeenCalled()
})

test('a task waits for a signature that is being committed for a caller here, but not for long', async () => {
  const decode = (committing: Promise<unknown>) =>
    beginOnArrival(() => committing).decode([payload(input)], { type: 'workflow', namespace: 'n', workflowId: id })
  let commit: () => void = () => undefined
  let isDecoded = false
  const decoded = decode(new Promise<void>((resolve) => (commit = resolve))).then(() => (isDecoded = true))
  await new Promise(setImmediate)
  expect(isDecoded).toBe(false)
  commit()
  await decoded
  await decode(Promise.reject(new Error('away')))
  await decode(new Promise(() => undefined))
})
