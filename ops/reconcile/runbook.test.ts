import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

test('the runbook says of every kind of mismatch what it means and what to do', () => {
  const union = /type MismatchKind =([^]*?)\n\n/.exec(read('createReport.ts'))?.[1] ?? ''
  const kinds = [...union.matchAll(/'(\w+)'/g)].map(([, kind = '']) => kind)
  expect(kinds.length).toBeGreaterThan(20)
  const [, section = ''] = read('../../temporal/RUNBOOK.md').split('### What reconcile finds')
  const cells = [...section.matchAll(/^\| (`[^|]*`) \|/gm)].map(([, cell]) => cell).join()
  expect(kinds.filter((kind) => !cells.includes(`\`${kind}\``))).toEqual([])
})
