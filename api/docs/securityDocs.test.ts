import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

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
