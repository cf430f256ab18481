import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { toHex } from '@perigee/core'
import { verifyRelease } from '@perigee/core/measurements'
import { simulatedMeasurements } from '@perigee/core/simulation'
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

test('the command signs a release with a key from a file', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const input = join(dir, 'in.json')
  const key = join(dir, 'key.pem')
  const output = join(dir, 'measurements.json')
  const release = simulatedRelease(new Date())
  writeFileSync(input, JSON.stringify(release))
  writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const main = fileURLToPath(new URL('main.ts', import.meta.url))
  execFileSync(process.execPath, ['--import', 'tsx', main, input, key, output], { stdio: 'pipe' })
  const raw = new Uint8Array(publicKey.export({ type: 'spki', format: 'der' }).subarray(-32))
  expect(verifyRelease(readFileSync(output), toHex(raw))).toEqual(release)
})
