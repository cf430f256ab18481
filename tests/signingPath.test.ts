import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

test('docs/architecture.md lists the files from the route to the commit: at most 15, and 1,000 lines', () => {
  const rows = [...read('docs/architecture.md').matchAll(/^\| \d+ \| `([^`]+\.ts)` \|.*\| (\d+) \|$/gm)]
  const listed = rows.map(([, file = '', lines]) => ({ file, lines: Number(lines) }))
  const found = listed.map(({ file }) => ({ file, lines: read(file).trimEnd().split('\n').length }))
  expect(listed).toEqual(found)
  expect(listed.length).toBeGreaterThan(10)
  expect(listed.length).toBeLessThanOrEqual(15)
  expect(listed.reduce((sum, { lines }) => sum + lines, 0)).toBeLessThanOrEqual(1000)
})
