// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest'
import { addToHistory, readHistory } from './history.js'

const address = '0xAbCdef0000000000000000000000000000000001'
const entry = (slug: string) => ({ slug, txHash: '0x1', to: '0x2', wei: '5', at: '2026-11-15T00:00:00Z' })
beforeEach(() => localStorage.clear())

test('keeps the newest first, once each, twenty at most, per wallet', () => {
  for (let i = 0; i < 25; i++) addToHistory(address, entry(`slug-${i}`))
  addToHistory(address, entry('slug-10'))
  const slugs = readHistory(address.toLowerCase()).map(({ slug }) => slug)
  expect(slugs).toHaveLength(20)
  expect(slugs.slice(0, 2)).toEqual(['slug-10', 'slug-24'])
  expect(readHistory('0x0')).toEqual([])
})

test('stores public values only', () => {
  addToHistory(address, entry('a'))
  expect(Object.keys(JSON.parse(Object.values({ ...localStorage })[0] as string)[0]).sort()).toEqual(
    ['at', 'slug', 'to', 'txHash', 'wei'].sort(),
  )
})

test.each(['not json', '{}', '[1,null,{"slug":1}]', '[{"slug":"a","txHash":"0x","to":"0x","wei":"<b>","at":""}]'])(
  'entries of another shape are ignored: %s',
  (text) => {
    localStorage.setItem(`perigee.sent.${address.toLowerCase()}`, text)
    expect(readHistory(address)).toEqual([])
  },
)
