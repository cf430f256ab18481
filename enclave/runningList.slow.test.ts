import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEnclaveClient } from '../clients/enclave/createEnclaveClient.js'
import { releaseKeyOf, signedFile } from '../core/measurements/testing/sampleRelease.js'
import { simulatedRelease } from '../core/simulation/testing/createSimulatedRelease.js'
import { codeOf } from './testing/createEnclave.js'
import { createTestWorld, type TestWorld } from './testing/createTestWorld.js'
import { createKeyRequest } from './testing/requests.js'
import { buildBundle, startEnclave } from './testing/startEnclave.js'

let world: TestWorld
beforeAll(async () => {
  world = await createTestWorld()
})
afterAll(() => world.remove())

test('the program itself reads its list again, says what it refuses, and obeys a newer one', async () => {
  const bundle = await buildBundle(world.dir)
  const file = join(world.dir, 'list.json')
  const list = (version: number, changes: object = {}) =>
    signedFile({ ...simulatedRelease(new Date()), version, ...changes })
  const env = { ...world.env, MEASUREMENTS_FILE: file, MEASUREMENTS_PUBLIC_KEY: releaseKeyOf(7) }
  writeFileSync(file, list(3))
  await expect(startEnclave(bundle.file, { ...env, MEASUREMENTS_MINIMUM_VERSION: '4' })).rejects.toThrow(
    'release_rollback',
  )
  const enclave = await startEnclave(bundle.file, { ...env, MEASUREMENTS_MINIMUM_VERSION: '3' })
  expect(enclave.started.release).toBe(3)
  const lines: string[] = []
  enclave.process.stdout?.on('data', (chunk: Buffer) => lines.push(chunk.toString('utf8')))
  const client = createEnclaveClient({ url: `https://127.0.0.1:${enclave.port}`, ...world.tls })
  const ask = () => codeOf(client.createKey(createKeyRequest(world)))
  try {
    expect(await ask()).toBe('accepted')
    writeFileSync(file, list(2, { coordinators: [] }))
    await sleep(10_500)
    expect(await ask()).toBe('accepted')
    expect(lines.join('')).toContain('"refused":"measurements.json","code":"release_rollback"')
    writeFileSync(file, list(4, { coordinators: [] }))
    await sleep(10_500)
    expect(await ask()).toBe('measurement_unknown')
  } finally {
    client.close()
    await enclave.stop('SIGKILL')
  }
})
