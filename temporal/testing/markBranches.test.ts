import { expect, test } from 'vitest'
import { markBranches } from './markBranches.js'

const kindOf = (name: string) => /\[([^\]]*)\]$/.exec(name)?.[1] ?? ''

/** Runs a marked function body with `x`, and names the kinds of the branches that it took. */
function kindsTaken(body: string, x: unknown): string {
  const kinds: string[] = []
  const hit = (name: string) => kinds.push(kindOf(name))
  new Function('x', '__hit', 'call', markBranches('f.ts', body).code)(x, hit, () => null)
  return kinds.join(' ')
}

const failing = { catch: (handle: () => void) => handle() }

test.each<[body: string, x: unknown, kinds: string]>([
  ['if (x) call()', true, 'if'],
  ['if (x) call()', false, 'else'],
  ['if (x) { call() } else return 1', false, 'else'],
  ['if (x) call(); else if (x === 0) call()', 0, 'else if'],
  ['return x ? 1 : 2', true, '?'],
  ['return x ? 1 : x === 0 ? 2 : 3', 0, ': ?'],
  ['while (x > 0) x--', 0, 'skipped'],
  ['while (x > 0) x--', 1, 'loop'],
  ['while (x > 0) x--', 2, 'loop again'],
  ['do { x-- } while (x > 0)', 0, 'loop'],
  ['do { x-- } while (x > 0)', 2, 'loop again'],
  ['for (;;) { if (x-- > 0) continue; break }', 0, 'loop else'],
  ['for (;;) { if (x-- > 0) continue; break }', 1, 'loop if again else'],
  ['for (const y of x) for (const z of y) call(z)', [[], [1]], 'loop skipped again loop'],
  ['try { x() } catch { return 1 }', () => 1, ''],
  ['try { x() } catch { return 1 }', null, 'catch'],
  ['x.catch(() => call())', failing, '.catch'],
  ['x.catch(() => { call() })', failing, '.catch'],
  ['return x ?? call()', 1, ''],
  ['return x ?? call()', null, '??'],
  ['x ??= 1', 1, ''],
  ['x ??= 1', null, '??='],
  ['x && (x = call() || call())', 1, '&& ||'],
  ['switch (x) { case 1: return 1; default: return 2 }', 1, 'case'],
])('`%s` with %j reports its branches', (body, x, kinds) => {
  expect(kindsTaken(body, x)).toBe(kinds)
})

test('a right side that only chooses a value is no branch', () => {
  expect(markBranches('f.ts', 'return (x ?? null) || (x > 1 && x < 2)').branches).toEqual([])
})

test('a branch is named by its file, its line and its kind', () => {
  expect(markBranches('f.ts', '\n  if (x) call()').branches).toEqual([
    'f.ts: if (x) call() [if]',
    'f.ts: if (x) call() [else]',
  ])
})
