import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fromHex, type Hex } from '../../index.js'
import { releaseFile, signRelease, verifyRelease } from '../../measurements/index.js'
import { simulatedMeasurements } from '../index.js'
import { afterAll, expect, test } from 'vitest'
import { createSimulatedRelease, simulatedRelease } from './createSimulatedRelease.js'

const dir = mkdtempSync(join(tmpdir(), 'perigee-release-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

test('the simulated release is signed, says that it is simulated, and is kept', () => {
  const { file, publicKey } = createSimulatedRelease(dir)
  const release = verifyRelease(readFileSync(file), publicKey)
  expect(release.enclaves).toMatchObject([{ simulated: true, mrTd: simulatedMeasurements.mrTd }])
  expect(release.coordinators).toMatchObject([{ simulated: true }])
  const before = statSync(file).mtimeMs
  expect(createSimulatedRelease(dir)).toEqual({ file, publicKey })
  expect(statSync(file).mtimeMs).toBe(before)
  writeFileSync(file, '{}')
  createSimulatedRelease(dir)
  expect(() => verifyRelease(readFileSync(file), publicKey)).not.toThrow()
})

test('a list of other builds is followed by the next version, because the old one may have been announced', () => {
  const { file, publicKey } = createSimulatedRelease(dir)
  const key = fromHex(readFileSync(join(dir, 'release', 'private-key'), 'utf8').trim() as Hex, 32)
  const old = { ...simulatedRelease(new Date(), 4), coordinators: [] }
  writeFileSync(file, releaseFile(signRelease(old, key)))
  createSimulatedRelease(dir)
  expect(verifyRelease(readFileSync(file), publicKey)).toMatchObject({
    version: 5,
    coordinators: [{ simulated: true }],
  })
})
