import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fromHex, ServiceError, transactionDigest } from '@perigee/core'
import { releaseFile, signRelease, type MeasurementRelease } from '@perigee/core/measurements'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { simulatedRelease } from '../core/simulation/testing/createSimulatedRelease.js'
import { newTransaction } from '../enclave/testing/createTestWorld.js'
import { simulationDir, startService, type TestService } from './rigs/workers/startService.js'

const dir = mkdtempSync(join(tmpdir(), 'perigee-withdrawn-'))
const file = join(dir, 'measurements.json')
let service: TestService
let releaseKey: Uint8Array
beforeAll(async () => {
  releaseKey = fromHex(readFileSync(join(await simulationDir(), 'release', 'private-key'), 'utf8').trim() as never, 32)
  publish(1, (build) => build)
  service = await startService({ env: { MEASUREMENTS_FILE: file } })
  await service.startWorkers(['sign'])
})
afterAll(async () => {
  await service.close()
  rmSync(dir, { recursive: true, force: true })
})

type Build = MeasurementRelease['enclaves'][number]

/** Gives every program this list. Those that run take it within ten seconds. */
function publish(version: number, change: (build: Build) => Build): void {
  const { enclaves, ...rest } = simulatedRelease(new Date())
  const signed = signRelease({ ...rest, version, enclaves: enclaves.map(change) }, releaseKey)
  writeFileSync(`${file}.new`, releaseFile(signed))
  renameSync(`${file}.new`, file)
}
const withdrawn = (build: Build): Build => ({ ...build, name: 'the next build', composeHash: `0x${'77'.repeat(32)}` })

const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'accepted',
    (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
  )
const counted = async () => {
  const [row] = await service.database.query(
    `SELECT (SELECT count(*)::int FROM transactions) AS signatures, (SELECT count(*)::int FROM publications) AS proofs,
            (SELECT count(*)::int FROM wallets) AS wallets`,
  )
  return row as unknown
}

test('a withdrawn build signs nothing and makes no key: nothing is answered and nothing recorded, until a list names it again', async () => {
  const { walletId } = await service.provision(await service.newUser())
  const sign = () => {
    const transaction = newTransaction()
    return outcome(service.sign({ walletId, transaction, digest: transactionDigest(transaction) }))
  }
  expect(await sign()).toBe('accepted')

  publish(2, withdrawn)
  await expect.poll(sign, { interval: 500 }).toBe('measurement_unknown')
  const before = await counted()
  expect(await sign()).toBe('measurement_unknown')
  expect(await outcome(service.provision(await service.newUser()))).toBe('measurement_unknown')
  expect(await counted()).toEqual(before)

  // The old list does not bring it back; only a newer one does.
  publish(1, (build) => build)
  await new Promise((resolve) => setTimeout(resolve, 11_000))
  expect(await sign()).toBe('measurement_unknown')
  publish(3, (build) => build)
  await expect.poll(sign, { interval: 500 }).toBe('accepted')
})
