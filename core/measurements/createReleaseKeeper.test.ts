import { describe, expect, test } from 'vitest'
import type { MeasurementRelease } from './index.js'
import { createReleaseKeeper } from './createReleaseKeeper.js'
import { releaseKeyOf, sampleRelease, signedFile } from './testing/sampleRelease.js'

const publicKey = releaseKeyOf(7)
const version = (number: number, changes: Partial<MeasurementRelease> = {}) => ({
  ...sampleRelease,
  version: number,
  ...changes,
})

/** A keeper whose file the test replaces, and what it refused. */
function keeperOf(first: Uint8Array, minimumVersion = 1) {
  const disk = { file: first, reads: 0 }
  const refused: string[] = []
  const read = () => {
    disk.reads++
    if (disk.file.length === 1) throw new Error('no such file')
    return disk.file
  }
  const keeper = createReleaseKeeper({ read, publicKey, minimumVersion })
  keeper.onRefused(({ code }) => refused.push(code))
  return { disk, refused, keeper }
}

describe('a running program', () => {
  test('takes a newer list when the file changes, and reads it at most every ten seconds', () => {
    const { disk, refused, keeper } = keeperOf(signedFile(version(3)))
    expect(keeper.current(100).version).toBe(3)
    disk.file = signedFile(version(5))
    expect(keeper.current(109).version).toBe(3)
    expect(keeper.current(110).version).toBe(5)
    expect(keeper.current(111)).toBe(keeper.current(119)) // the same object until the list changes
    expect(disk.reads).toBe(3)
    disk.file = signedFile(version(6))
    expect(keeper.current(50).version).toBe(6) // the clock was set back
    expect(refused).toEqual([])
  })

  test.each<[string, string, Uint8Array]>([
    ['an older list', 'release_rollback', signedFile(version(2))],
    ['another list of the same version', 'release_conflict', signedFile(version(3, { enclaves: [] }))],
    ['a list that another key signed', 'release_signature', signedFile(version(4), 8)],
    ['what is no list', 'release_invalid', new TextEncoder().encode('{}')],
    ['a file that cannot be read', 'release_invalid', new Uint8Array(1)],
  ])('keeps its list in the face of %s: %s, said once', (_, code, file) => {
    const { disk, refused, keeper } = keeperOf(signedFile(version(3)))
    const before = keeper.current(100)
    disk.file = file
    for (const at of [110, 120, 130]) expect(keeper.current(at)).toBe(before)
    expect(refused).toEqual([code])
    disk.file = signedFile(version(4))
    expect(keeper.current(140).version).toBe(4)
  })

  test('never returns to a list that it had before', () => {
    const { disk, refused, keeper } = keeperOf(signedFile(version(3)))
    disk.file = signedFile(version(4))
    expect(keeper.current(100).version).toBe(4)
    disk.file = signedFile(version(3))
    expect(keeper.current(110).version).toBe(4)
    expect(refused).toEqual(['release_rollback'])
  })

  test('uses no list past its time, until there is a newer one', () => {
    const end = Date.parse('2026-11-20T00:00:00Z') / 1000
    const { disk, keeper } = keeperOf(signedFile(version(3, { expiresAt: '2026-11-20T00:00:00Z' })))
    expect(keeper.current(end - 1).version).toBe(3)
    expect(() => keeper.current(end)).toThrow(expect.objectContaining({ code: 'release_expired' }))
    disk.file = signedFile(version(4))
    expect(keeper.current(end + 10).version).toBe(4)
  })
})

test.each<[string, string, Uint8Array, number]>([
  ['below the minimum version', 'release_rollback', signedFile(version(3)), 4],
  ['of another key', 'release_signature', signedFile(version(3), 8), 1],
  ['of another form', 'release_invalid', new TextEncoder().encode('{}'), 1],
])('no program starts with a list %s: %s', (_, code, file, minimumVersion) => {
  expect(() => keeperOf(file, minimumVersion)).toThrow(expect.objectContaining({ code }))
})
