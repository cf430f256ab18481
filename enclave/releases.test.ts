import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createReleaseKeeper, type MeasurementRelease } from '@perigee/core/measurements'
import { simulatedDigest } from '@perigee/core/simulation'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { releaseKeyOf, signedFile } from '../core/measurements/testing/sampleRelease.js'
import { simulatedRelease } from '../core/simulation/testing/createSimulatedRelease.js'
import { codeOf, createEnclave } from './testing/createEnclave.js'
import { createTestWorld, type TestWorld } from './testing/createTestWorld.js'
import { createKeyRequest } from './testing/requests.js'

let world: TestWorld
beforeAll(async () => {
  world = await createTestWorld()
})
afterAll(() => world.remove())

const list = (version: number, changes: Partial<MeasurementRelease> = {}) => ({
  ...simulatedRelease(new Date(0)),
  version,
  ...changes,
})
/** Our coordinator's build is not in it any more. */
const withdrawn = (version: number) => {
  const [build] = list(version).coordinators as [MeasurementRelease['coordinators'][0]]
  return list(version, { coordinators: [{ ...build, measurement: simulatedDigest('next build') }] })
}

/** An enclave that reads its list again at every request, as the running one does every ten seconds. */
function openEnclave(first: Uint8Array, minimumVersion = 1) {
  const file = join(world.dir, 'list.json')
  writeFileSync(file, first)
  const refused: string[] = []
  const releases = createReleaseKeeper({
    read: () => readFileSync(file),
    publicKey: releaseKeyOf(7),
    minimumVersion,
    everySeconds: 0,
  })
  releases.onRefused(({ code }) => refused.push(code))
  const enclave = createEnclave(world, { coordinators: { releases } })
  return {
    refused,
    ask: () => codeOf(enclave.createKey(createKeyRequest(world))),
    replace: (next: Uint8Array) => writeFileSync(file, next),
  }
}

test('a running enclave obeys a newer list at once, though it knows the coordinator’s report', async () => {
  const { ask, replace } = openEnclave(signedFile(list(3)))
  expect(await ask()).toBe('accepted')
  replace(signedFile(withdrawn(4)))
  expect(await ask()).toBe('measurement_unknown')
  replace(signedFile(list(5)))
  expect(await ask()).toBe('accepted')
})

test('a host cannot bring a withdrawn coordinator back with the older list', async () => {
  const { ask, replace, refused } = openEnclave(signedFile(withdrawn(4)))
  expect(await ask()).toBe('measurement_unknown')
  replace(signedFile(list(3)))
  expect(await ask()).toBe('measurement_unknown')
  expect(refused).toEqual(['release_rollback'])
})

test.each<[string, string, () => Uint8Array]>([
  ['an older list', 'release_rollback', () => signedFile(withdrawn(2))],
  ['a second list of the same version', 'release_conflict', () => signedFile(withdrawn(3))],
  ['a list of another key', 'release_signature', () => signedFile(withdrawn(4), 8)],
  ['a broken file', 'release_invalid', () => new TextEncoder().encode('{"release":')],
])('%s changes nothing: %s', async (_, code, next) => {
  const { ask, replace, refused } = openEnclave(signedFile(list(3)))
  replace(next())
  expect(await ask()).toBe('accepted')
  expect(refused).toEqual([code])
})

test('a list past its time stops the enclave', async () => {
  const { ask } = openEnclave(signedFile(list(3, { expiresAt: '2026-01-01T00:00:00Z' })))
  expect(await ask()).toBe('release_expired')
})
