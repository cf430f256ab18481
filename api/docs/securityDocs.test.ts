import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { usualBody } from '../http/readJson.js'
import { usualTarpit } from '../limits/createTarpit.js'
import { documentedRoutes } from '../testing/documentedRoutes.js'
import { errorMeanings } from './errorMeanings.js'

const root = new URL('../..', import.meta.url)

test('every item of docs/security.md names a test that exists', async () => {
  const text = await readFile(new URL('docs/security.md', root), 'utf8')
  const rows = [...text.matchAll(/^\| ([\d.x, ]+|[AM]\d+) \| .+ \| `(.+)`: (.+) \|$/gm)]
  expect(rows.length).toBeGreaterThan(60)
  expect(rows.length).toBe([...text.matchAll(/^\| [AM]?\d/gm)].length)
  for (const [, item, file, title] of rows) {
    const source = await readFile(new URL(file as string, root), 'utf8')
    expect(source.includes(title as string), `${item}: ${file} has no test "${title}"`).toBe(true)
  }
})

test('every test that a cell of "Who can do what" names is in the list, and every one of the list is named', async () => {
  const text = await readFile(new URL('docs/security.md', root), 'utf8')
  const [, table = ''] = /\| Who \|(.+?)\n\n/s.exec(text) ?? []
  const cited = [...table.matchAll(/A(\d+)(?: to A(\d+))?/g)].flatMap(([, from, to = from]) =>
    Array.from({ length: Number(to) - Number(from) + 1 }, (_, i) => `A${Number(from) + i}`),
  )
  const listed = [...text.matchAll(/^\| (A\d+) /gm)].map(([, name]) => name)
  expect([...new Set(cited)].sort()).toEqual(listed.sort())
})

test('docs/security.md and the error of a large body name the limits that the code has', async () => {
  const text = (await readFile(new URL('docs/security.md', root), 'utf8')).replaceAll(/\s+/g, ' ')
  const larger = documentedRoutes().flatMap(({ path, maxBody }) => (maxBody ? [{ path, ...maxBody }] : []))
  expect(larger.map(({ path }) => path)).toEqual(['/sign/message'])
  for (const { bytes, depth } of [usualBody, ...larger]) {
    expect(text).toContain(`${bytes / 1024} kB and ${depth} deep`)
    expect(errorMeanings.payload_too_large).toContain(`${bytes / 1024} kB`)
  }
  expect(text).toContain(`${usualTarpit.firstMs} ms`)
  expect(text).toContain(`at most ${usualTarpit.perSecond} refusals a second`)
})
