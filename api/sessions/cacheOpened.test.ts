import { expect, test } from 'vitest'
import { cacheOpened } from './cacheOpened.js'

function counted() {
  const clock = { at: 1, now: () => clock.at }
  const opened: string[] = []
  const open = cacheOpened(
    (sealed: string) => {
      opened.push(sealed)
      return Promise.resolve(sealed.startsWith('ours') ? { of: sealed } : null)
    },
    { ttl: 1000, max: 3, perf: clock, ttlResolution: 0 },
  )
  return { clock, opened, open }
}

test('opens a cookie once, and again after the time to live, however often it was used', async () => {
  const { clock, opened, open } = counted()
  for (; clock.at <= 1001; clock.at += 100) expect(await open('ours')).toEqual({ of: 'ours' })
  expect(opened).toEqual(['ours'])
  await open('ours')
  expect(opened).toEqual(['ours', 'ours'])
})

test('what does not open is tried each time and never kept', async () => {
  const { opened, open } = counted()
  await open('ours')
  for (let i = 0; i < 100; i++) expect(await open(`forged ${i % 2}`)).toBeNull()
  expect(opened).toHaveLength(101)
  await open('ours')
  expect(opened).toHaveLength(101)
})

test('keeps a bounded number, and drops the least recently used', async () => {
  const { opened, open } = counted()
  for (const name of ['ours 1', 'ours 2', 'ours 3']) await open(name)
  await open('ours 1')
  await open('ours 4')
  opened.length = 0
  for (const name of ['ours 1', 'ours 3', 'ours 4']) await open(name)
  expect(opened).toEqual([])
  await open('ours 2')
  expect(opened).toEqual(['ours 2'])
})
