import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cidOf, toHex, type Hex, type UnixSeconds } from '@perigee/core'
import { EnvReader } from '@perigee/core/config'
import { mintQuote } from '@perigee/core/simulation'
import { parseQuote, parseQuoteCollateral, verifyQuote, type QuoteCollateral } from '@perigee/core/tdx'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestWorld, nowSeconds, type TestWorld } from '../../enclave/testing/createTestWorld.js'
import { createCollateralFolder } from './createCollateralFolder.js'
import { createCollateralSupply } from './createCollateralSupply.js'
import { createPccsSource } from './sources/createPccsSource.js'
import { parseCollateralConfig } from './config.js'
import { servePccs } from '../testing/servePccs.js'
import { fixturesDir } from '../../core/tdx/testing/fixtures.js'

let world: TestWorld
let quote: Hex
let fmspc: string
let pccs: Awaited<ReturnType<typeof servePccs>>
let clock: UnixSeconds
let problems: unknown[]
const day = 86_400

beforeAll(async () => {
  world = await createTestWorld()
  const bytes = mintQuote({ reportData: new Uint8Array(64) }, world.tdx.quoteKeys)
  quote = toHex(bytes)
  fmspc = parseQuote(bytes).fmspc.slice(2)
})
afterAll(() => world.remove())
beforeEach(async () => {
  pccs = await servePccs(await world.tdx.collateral(), { fmspc })
  clock = nowSeconds()
  problems = []
})
afterEach(() => pccs.close())

const supply = (folder?: string, changes: { maxAgeSeconds?: number } = {}) =>
  createCollateralSupply({
    ...changes,
    source: createPccsSource({ url: pccs.url }),
    tdxRoot: world.tdx.root,
    now: () => clock,
    onProblem: (error) => problems.push(error),
    ...(folder !== undefined && { store: createCollateralFolder(join(world.dir, folder)) }),
  })
const recovery = (number: number) => ({
  tcbInfo: { tcbEvaluationDataNumber: number },
  qeIdentity: { tcbEvaluationDataNumber: number },
})
describe('collateral from a PCCS', () => {
  test('is complete, exact and named by its bytes', async () => {
    const served = await world.tdx.collateral()
    pccs.serve(served)
    const { collateral, cid, bytes } = await supply().collateralFor(quote)
    expect(collateral).toEqual(parseQuoteCollateral(served))
    expect(cid).toBe(cidOf(bytes))
    expect(parseQuoteCollateral(new TextDecoder().decode(bytes))).toEqual(collateral)
    await expect(verifyQuote(fromHexOf(quote), collateral, world.tdx.root, clock)).resolves.toBeDefined()
  })

  test('is fetched once for many quotes, also at once', async () => {
    const cache = supply()
    await Promise.all([cache.collateralFor(quote), cache.collateralFor(quote)])
    await cache.collateralFor(quote)
    expect(pccs.asked).toHaveLength(4)
  })

  test('is fetched again early, in the background, while the old set serves', async () => {
    const cache = supply()
    const { cid } = await cache.collateralFor(quote)
    pccs.serve(await world.tdx.collateral({ issuedAt: clock, nextUpdate: clock + 30 * day }))
    clock += 7 * 3600
    expect((await cache.collateralFor(quote)).cid).toBe(cid)
    await expect.poll(async () => (await cache.collateralFor(quote)).cid).not.toBe(cid)
  })

  test('serves on for a day while the service is down: then collateral_stale, until the service is back', async () => {
    const cache = supply('gone')
    const { cid } = await cache.collateralFor(quote)
    const refreshedAt = clock
    pccs.breakDown()
    clock += day - 1
    await expect(cache.collateralFor(quote)).resolves.toMatchObject({ cid })
    await expect.poll(() => problems.length).toBe(1)
    expect(cache.freshness()).toEqual({ refreshedAt, staleAt: refreshedAt + day })
    clock += 1
    const stale = { code: 'collateral_stale', retryable: true, facts: { refreshedAt, staleAt: refreshedAt + day } }
    await expect(cache.collateralFor(quote)).rejects.toMatchObject(stale)
    // A restart does not make it any fresher.
    await expect(supply('gone').collateralFor(quote)).rejects.toMatchObject(stale)
    pccs.breakDown(false)
    await expect(cache.collateralFor(quote)).resolves.toMatchObject({ cid })
    expect(cache.freshness()).toEqual({ refreshedAt: clock, staleAt: clock + day })
  })

  test('is never used past its own expiry, however long it may go without a refresh', async () => {
    const cache = supply(undefined, { maxAgeSeconds: 60 * day })
    await cache.collateralFor(quote)
    pccs.breakDown()
    clock += 29 * day
    await expect(cache.collateralFor(quote)).resolves.toBeDefined()
    clock += 2 * day
    await expect(cache.collateralFor(quote)).rejects.toMatchObject({ code: 'collateral_stale' })
    pccs.breakDown(false)
    pccs.serve(await world.tdx.collateral({ issuedAt: clock - 60, nextUpdate: clock + 30 * day }))
    await expect(cache.collateralFor(quote)).resolves.toBeDefined()
  })

  test('is refreshed while nothing is signed', async () => {
    const cache = supply()
    expect(cache.freshness()).toBeNull()
    await cache.keepFresh()
    expect(pccs.asked).toHaveLength(0) // nothing was asked for yet
    await cache.collateralFor(quote)
    clock += 3600
    await cache.keepFresh()
    expect(pccs.asked).toHaveLength(4) // not due
    clock += 6 * 3600
    await cache.keepFresh()
    expect(pccs.asked).toHaveLength(8)
    expect(cache.freshness()?.refreshedAt).toBe(clock)
  })

  test('is never exchanged for an earlier TCB recovery', async () => {
    const cache = supply()
    pccs.serve(await world.tdx.collateral(recovery(18)))
    const { cid } = await cache.collateralFor(quote)
    pccs.serve(await world.tdx.collateral({ ...recovery(17), issuedAt: clock, nextUpdate: clock + 60 * day }))
    clock += 7 * 3600
    await cache.collateralFor(quote)
    await expect.poll(() => problems[0]).toMatchObject({ code: 'collateral_rollback' })
    expect((await cache.collateralFor(quote)).cid).toBe(cid)
    clock += day
    await expect(cache.collateralFor(quote)).rejects.toMatchObject({ code: 'collateral_stale' })
  })

  test('is not rolled back by a restart either', async () => {
    pccs.serve(await world.tdx.collateral(recovery(18)))
    const { cid } = await supply('restart').collateralFor(quote)
    expect(readdirSync(join(world.dir, 'restart'))).toContain(cid)
    pccs.serve(await world.tdx.collateral(recovery(17)))
    expect((await supply('restart').collateralFor(quote)).cid).toBe(cid)
    expect(problems[0]).toMatchObject({ code: 'collateral_rollback' })
  })

  test('survives a restart during which the service is down', async () => {
    const { cid } = await supply('down').collateralFor(quote)
    pccs.breakDown()
    expect((await supply('down').collateralFor(quote)).cid).toBe(cid)
  })
})

describe('a PCCS that', () => {
  const serving = async (change: (good: QuoteCollateral) => QuoteCollateral | Promise<QuoteCollateral>) => {
    pccs.serve(await change(await world.tdx.collateral()))
    return supply().collateralFor(quote)
  }
  test('is down from the start leaves collateral_unavailable', async () => {
    pccs.breakDown()
    await expect(supply().collateralFor(quote)).rejects.toMatchObject({ code: 'collateral_unavailable' })
    const down = createPccsSource({ url: 'http://127.0.0.1:9' })
    await expect(down({ fmspc: '0x00', ca: 'platform' })).rejects.toMatchObject({ code: 'collateral_unavailable' })
  })
  test('serves only expired sets leaves collateral_stale', async () => {
    const old = world.tdx.collateral({ issuedAt: clock - 60 * day, nextUpdate: clock - 30 * day })
    await expect(serving(() => old)).rejects.toMatchObject({ code: 'collateral_stale' })
    const oldCrl = world.tdx.collateral({ crlIssuedAt: clock - 60 * day, crlNextUpdate: clock - day })
    await expect(serving(() => oldCrl)).rejects.toMatchObject({ code: 'collateral_stale' })
  })
  test('changes one character of the signed text is refused', async () => {
    const changed = (good: QuoteCollateral) => ({ ...good, tcb_info: good.tcb_info.replace('UpToDate', 'UpToDatE') })
    await expect(serving(changed)).rejects.toMatchObject({ code: 'tcb_info_signature' })
  })
  test('answers with something else than collateral is refused', async () => {
    await expect(serving((good) => ({ ...good, tcb_info: '[]' }))).rejects.toMatchObject({
      code: 'collateral_unavailable',
    })
  })
})

test('simulation reads the platform’s own file, and production needs a service and a folder', async () => {
  const env = new EnvReader({})
  const { intel, amd } = parseCollateralConfig(env, { simulated: true, simulationDir: world.dir })
  const file = readFileSync(join(world.dir, 'tdx', 'collateral.json'), 'utf8')
  expect(await intel.source({ fmspc: '0x00', ca: 'platform' })).toEqual(parseQuoteCollateral(file))
  expect(toHex(await amd.source({ product: 'Milan', kind: 'VCEK' }))).toBe(world.snp.crl)
  expect(intel.maxAgeSeconds).toBe(86_400)
  parseCollateralConfig(env, { simulated: false })
  expect(env.problems).toEqual(['PCCS_URL is missing', 'COLLATERAL_DIR is missing'])
})

const fixtures = fixturesDir ?? 'absent'
const recorded = join(fixtures, 'tdx', 'collateral', '90c06f000000-2026-02.json')
test.skipIf(!existsSync(recorded))('Intel’s own collateral passes through byte for byte (fixtures)', async () => {
  const real = JSON.parse(readFileSync(recorded, 'utf8')) as QuoteCollateral
  const bytes = new Uint8Array(readFileSync(join(fixtures, 'tdx', 'quotes', 'dstack_qr.bin')))
  const intel = new Uint8Array(readFileSync(join(fixtures, 'tdx', 'intel-sgx-root-ca.der')))
  const peer = await servePccs(real, { fmspc: '90c06f000000' })
  const at = Date.parse('2026-03-05T10:50:03Z') / 1000
  const cache = createCollateralSupply({ source: createPccsSource({ url: peer.url }), tdxRoot: intel, now: () => at })
  const { collateral } = await cache.collateralFor(toHex(bytes))
  await peer.close()
  expect(await verifyQuote(bytes, collateral, intel, at)).toMatchObject({ tcbStatus: 'UpToDate' })
})

function fromHexOf(hex: Hex): Uint8Array {
  return new Uint8Array(Buffer.from(hex.slice(2), 'hex'))
}
