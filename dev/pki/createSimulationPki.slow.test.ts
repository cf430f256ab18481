import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { mintQuote, mintSnpReport } from '@perigee/core/simulation'
import { verifySnpReport } from '@perigee/core/snp'
import { verifyQuote } from '@perigee/core/tdx'
import { testRsaKeys } from '../../core/snp/testing/testRsaKeys.js'
import { createSimulationPki, simulationFiles } from './index.js'

const base = await mkdtemp(join(tmpdir(), 'perigee-pki-'))
afterAll(() => rm(base, { recursive: true, force: true }))
const now = 1_794_614_400
const day = 86_400
const reportData = new Uint8Array(64).fill(1)

test('makes a PKI once, keeps its roots and renews its collateral', async () => {
  const dir = join(base, 'pki')
  const create = () => createSimulationPki(dir, now, testRsaKeys)
  // Two processes that start at the same time end with one PKI.
  const [first, second] = await Promise.all([create(), create()])
  expect(second.tdx.root).toEqual(first.tdx.root)
  expect(second.snp.ark).toEqual(first.snp.ark)
  for (const version of [4, 5] as const) {
    const quote = mintQuote({ reportData, version }, first.tdx.quoteKeys)
    const verdict = await verifyQuote(quote, first.tdx.collateral, first.tdx.root, now)
    expect(verdict).toMatchObject({ tcbStatus: 'UpToDate', quoteVersion: version })
  }
  const report = mintSnpReport({ reportData }, first.snp.reportKeys)
  const evidence = { report, vek: first.snp.vek, intermediate: first.snp.ask, root: first.snp.ark }
  await expect(verifySnpReport(evidence, { now, vmpl: 0 })).resolves.toMatchObject({ signingKey: 'VCEK' })

  const soon = await createSimulationPki(dir, now + day / 4)
  expect(soon.tdx.collateral).toEqual(first.tdx.collateral)
  const nextDay = await createSimulationPki(dir, now + day)
  expect(nextDay.tdx.collateral.tcb_info).not.toEqual(first.tdx.collateral.tcb_info)
  const later = now + 25 * day
  const renewed = await createSimulationPki(dir, later)
  expect(renewed.tdx.root).toEqual(first.tdx.root)
  expect(renewed.tdx.collateral.tcb_info).not.toEqual(first.tdx.collateral.tcb_info)
  const quote = mintQuote({ reportData }, renewed.tdx.quoteKeys)
  await expect(verifyQuote(quote, renewed.tdx.collateral, renewed.tdx.root, later + 20 * day)).resolves.toBeDefined()

  // Keys are for their owner's eyes; what others need lies beside them.
  expect((await stat(join(dir, simulationFiles.tdxQuoteKeys))).mode & 0o777).toBe(0o600)
  expect((await readFile(join(dir, simulationFiles.tdxRoot)))[0]).toBe(0x30)
})
