import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

const root = new URL('../..', import.meta.url)

test('every item of docs/security.md names a test that exists', async () => {
  const text = await readFile(new URL('docs/security.md', root), 'utf8')
  const rows = [...text.matchAll(/^\| ([\d.x, ]+) \| .+ \| `(.+)`: (.+) \|$/gm)]
  expect(rows.length).toBeGreaterThan(30)
  expect(rows.length).toBe([...text.matchAll(/^\| \d/gm)].length)
  for (const [, item, file, title] of rows) {
    const source = await readFile(new URL(file as string, root), 'utf8')
    expect(source.includes(title as string), `${item}: ${file} has no test "${title}"`).toBe(true)
  }
})
