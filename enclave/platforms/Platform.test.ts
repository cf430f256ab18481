import { createSecretKey, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createQueue, limitQuotes, type Platform } from './Platform.js'

/** Work that ends when told to. */
function createGate() {
  const opened: (() => void)[] = []
  let running = 0
  let most = 0
  return {
    work: async () => {
      most = Math.max(most, ++running)
      await new Promise<void>((open) => opened.push(open))
      running--
    },
    open: () => opened.shift()?.(),
    most: () => most,
    running: () => running,
  }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('no more quotes run at once than allowed, and the rest wait in order', async () => {
  const gate = createGate()
  const enqueue = createQueue({ concurrent: 2, queued: 10 })
  const done: number[] = []
  const all = [0, 1, 2, 3, 4].map((n) => enqueue(gate.work).then(() => done.push(n)))
  for (let i = 0; i < 5; i++) {
    await turn()
    expect(gate.running()).toBeLessThanOrEqual(2)
    gate.open()
  }
  await Promise.all(all)
  expect(gate.most()).toBe(2)
  expect(done).toEqual([0, 1, 2, 3, 4])
})

test('a full queue refuses at once with enclave_busy, and serves again when there is room', async () => {
  const gate = createGate()
  const enqueue = createQueue({ concurrent: 1, queued: 1 })
  const first = enqueue(gate.work)
  const second = enqueue(gate.work)
  await expect(enqueue(gate.work)).rejects.toMatchObject({ code: 'enclave_busy' })
  gate.open()
  await first
  await turn()
  const third = enqueue(gate.work)
  gate.open()
  await second
  await turn()
  gate.open()
  await third
})

test('a quote that fails gives its place back', async () => {
  const platform: Platform = {
    name: 'simulated',
    sealingKeys: { current: 1, byVersion: new Map([[1, createSecretKey(randomBytes(32))]]) },
    quote: () => Promise.reject(new Error('the machine is ill')),
  }
  const limited = limitQuotes(platform, { concurrent: 1, queued: 0 })
  for (let i = 0; i < 3; i++) await expect(limited.quote(new Uint8Array(64))).rejects.toThrow('ill')
})
