import { cpSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canonicalJson, cidOf, ServiceError, transactionDigest } from '@perigee/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requireFreshCollateral } from '../api/monitoring/requireFreshCollateral.js'
import { createCollateralFolder } from '../clients/collateral/createCollateralFolder.js'
import { createSimulationPki } from '../dev/pki/index.js'
import { createSimulatedRelease } from '../core/simulation/testing/createSimulatedRelease.js'
import { mintQuote } from '../core/simulation/index.js'
import { parseQuote } from '../core/tdx/index.js'
import { newTransaction } from '../enclave/testing/createTestWorld.js'
import { simulationDir, startService, type TestService } from './rigs/workers/startService.js'

/** A simulation folder of our own, whose collateral was last refreshed 25 hours ago and whose sources are gone. */
const own = mkdtempSync(join(tmpdir(), 'perigee-freshness-'))
const sources = ['tdx/collateral.json', 'snp/crl.der'] as const
const away = (name: string) => `${join(own, name)}.away`
let service: TestService

beforeAll(async () => {
  cpSync(await simulationDir(), own, { recursive: true })
  rmSync(join(own, 'collateral'), { recursive: true, force: true })
  createSimulatedRelease(own)
  const { tdx, snp } = await createSimulationPki(own)
  const store = createCollateralFolder(join(own, 'collateral'))
  const refreshedAt = Math.floor(Date.now() / 1000) - 25 * 3600
  const { fmspc, ca } = parseQuote(mintQuote({ reportData: new Uint8Array(64) }, tdx.quoteKeys))
  const collateral = new TextEncoder().encode(canonicalJson(tdx.collateral))
  const held = { [`${fmspc.slice(2)}-${ca}`]: collateral, 'amd-Milan-VCEK': snp.crl }
  for (const [name, bytes] of Object.entries(held)) await store.save(name, { cid: cidOf(bytes), bytes, refreshedAt })
  for (const name of sources) renameSync(join(own, name), away(name))
  service = await startService({ env: { SIMULATION_DIR: own } })
  await service.startWorkers(['sign'])
})
afterAll(async () => {
  await service.close()
  rmSync(own, { recursive: true, force: true })
})

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'accepted',
    (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
  )

test('stale collateral of either vendor stops wallets and signatures with a clear state, until it is refreshed', async () => {
  const user = await service.newUser()
  expect(await codeOf(requireFreshCollateral(service.database))).toBe('accepted') // nothing was asked for yet
  for (const back of sources) {
    expect(await codeOf(service.provision(user))).toBe('collateral_stale')
    expect(await service.database.query('SELECT 1 FROM wallets')).toEqual([])
    const readiness = () => requireFreshCollateral(service.database).catch((error: Error) => error.message)
    await expect.poll(readiness, { interval: 1000 }).toContain('nothing is signed')
    renameSync(away(back), join(own, back))
  }
  const { walletId } = await service.provision(user)
  const transaction = newTransaction()
  const call = { walletId, transaction, digest: transactionDigest(transaction) }
  expect(await codeOf(service.sign(call))).toBe('accepted')
  const ready = () => codeOf(requireFreshCollateral(service.database))
  await expect.poll(ready, { interval: 1000 }).toBe('accepted')
})
