import { defaultPayloadConverter } from '@temporalio/common'
import { expect, test, vi } from 'vitest'
import { workflowIds } from '@perigee/core/workflow'
import { beginOnArrival } from './beginOnArrival.js'

const input = { walletId: 'w-1', digest: '0xab', transaction: { chainId: 1 }, expiresAtMs: 1 } as const
const id = workflowIds.sign(input.walletId, input.digest)
const payload = (value: unknown) => defaultPayloadConverter.toPayload(value)

async function arrive(values: unknown[], workflowId = id, type: 'workflow' | 'activity' = 'workflow') {
  const begin = vi.fn()
  const codec = beginOnArrival(begin)
  const payloads = values.map(payload)
  expect(await codec.decode(payloads, { type, namespace: 'n', workflowId, isLocal: true })).toBe(payloads)
  expect(await codec.encode(payloads, { type, namespace: 'n', workflowId, isLocal: true })).toBe(payloads)
  return begin.mock.calls
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
  const begin = vi.fn()
  await beginOnArrival(begin).decode([payload(input)])
  expect(begin).not.toHaveBeenCalled()
})
