import { expect, test } from 'vitest'
import { cidOf } from '@perigee/core'
import { readVerified, type BlockSource } from './readVerified.js'

const bytes = new TextEncoder().encode('good')
const cid = cidOf(bytes)
const good: BlockSource = () => Promise.resolve(bytes)
const wrong: BlockSource = () => Promise.resolve(new TextEncoder().encode('rotten'))
const missing: BlockSource = () => Promise.resolve(null)
const down: BlockSource = () => Promise.reject(new Error('connect ECONNREFUSED'))

test('a good copy is found behind sources that are wrong, empty or down', async () => {
  expect(await readVerified(cid, [wrong, missing, down, good])).toBe(bytes)
})

test('wrong copies are an error once every source has answered', async () => {
  await expect(readVerified(cid, [wrong, missing])).rejects.toMatchObject({ code: 'cid_mismatch' })
})

test('while a source is down, a wrong copy elsewhere proves nothing: the good one may be there', async () => {
  expect(await readVerified(cid, [wrong, down])).toBeNull()
  expect(await readVerified(cid, [down, wrong])).toBeNull()
})
