import { expect, test } from 'vitest'
import { checkReleaseAge, checkSuccession } from './index.js'
import { sampleRelease } from './testing/sampleRelease.js'

const refused = (code: string) => expect.objectContaining({ code })
const version = (number: number) => ({ ...sampleRelease, version: number })

test('versions go up, from the minimum and from the list in use', () => {
  expect(() => checkSuccession(version(3), {})).not.toThrow()
  expect(() => checkSuccession(version(3), { minimumVersion: 3 })).not.toThrow()
  expect(() => checkSuccession(version(9), { current: version(3), minimumVersion: 2 })).not.toThrow()
  expect(() => checkSuccession(version(2), { minimumVersion: 3 })).toThrow(refused('release_rollback'))
  expect(() => checkSuccession(version(2), { current: version(3) })).toThrow(refused('release_rollback'))
  expect(() => checkSuccession(version(2), { current: version(3), minimumVersion: 1 })).toThrow(
    refused('release_rollback'),
  )
})

test('one version is one list', () => {
  expect(() => checkSuccession(version(3), { current: version(3) })).not.toThrow()
  const other = { ...version(3), issuedAt: '2026-11-16T00:00:00Z' }
  expect(() => checkSuccession(other, { current: version(3) })).toThrow(refused('release_conflict'))
})

test('a list that says so is not used after its time', () => {
  expect(() => checkReleaseAge(sampleRelease, 4e9)).not.toThrow()
  const expiring = { ...sampleRelease, expiresAt: '2026-11-20T00:00:00Z' }
  const end = Date.parse(expiring.expiresAt) / 1000
  expect(() => checkReleaseAge(expiring, end - 1)).not.toThrow()
  expect(() => checkReleaseAge(expiring, end)).toThrow(refused('release_expired'))
})
