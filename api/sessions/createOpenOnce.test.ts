import { expect, test } from 'vitest'
import { createOpenOnce } from './createOpenOnce.js'

function counted(settings = { keepMs: 1000, most: 3 }) {
  const clock = { now: 0 }
  const opened: string[] = []
  const open = createOpenOnce(
    (sealed: string) => {
      opened.push(sealed)
      return Promise.resolve(sealed.startsWith('ours') ? { of: sealed } : null)
    },
    { ...settings, now: () => clock.now },
  )
  return { clock, opened, open }
}

test('opens a seal once, and again when it was known for long enough', async () => {
  const { clock, opened, open } = counted()
  for (let i = 0; i < 5; i++) expect(await open('ours')).toEqual({ of: 'ours' })
  expect(opened).toEqual(['ours'])
  clock.now = 999
  await open('ours')
  expect(opened).toHaveLength(1)
  clock.now = 1000 // being used does not make it known for longer
  await open('ours')
  expect(opened).toHaveLength(2)
})

test('what does not open is tried each time and never kept', async () => {
  const { opened, open } = counted()
  await open('ours')
  for (let i = 0; i < 100; i++) expect(await open(`forged ${i % 2}`)).toBeNull()
  expect(opened).toHaveLength(101)
  await open('ours')
  expect(opened).toHaveLength(101)
})

test('keeps a bounded number, and forgets the one used longest ago', async () => {
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
