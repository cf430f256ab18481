import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

async function textOf(folder: string): Promise<string> {
  const files = (await readdir(join(root, folder), { recursive: true })).filter(
    (name) => /\.tsx?$/.test(name) && !name.includes('node_modules'),
  )
  return (await Promise.all(files.map((name) => readFile(join(root, folder, name), 'utf8')))).join('\n')
}

// A table that names a test which is gone would be worse than no table.
test('every test that SPEC.md names exists, the real ones on the real stack', async () => {
  const real = (await textOf('tests/sdk')) + (await textOf('tests/browser'))
  const all = real + (await textOf('sdk'))
  const rows = (await readFile(join(root, 'sdk/SPEC.md'), 'utf8')).split('\n').filter((line) => /^\| \d/.test(line))
  expect(rows.length).toBeGreaterThan(35)
  for (const row of rows) {
    const [section = '', , shownBy = ''] = row.slice(2).split(' | ')
    const titles = [...shownBy.matchAll(/`([^`]{12,})`/g)].map(([, title = '']) => title)
    expect(titles, section).not.toEqual([])
    for (const title of titles) expect(all.includes(`'${title}'`), title).toBe(true)
    const [, firstReal] = /\*\*real\*\* `([^`]+)`/.exec(shownBy) ?? []
    if (firstReal) expect(real.includes(`'${firstReal}'`), firstReal).toBe(true)
  }
})
