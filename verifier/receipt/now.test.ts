import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { printBundle } from '@perigee/core/receipt/gather'
import { cidOf } from '@perigee/core/bytes'
import { blocksOf, mintReceipt } from '../../core/receipt/testing/mintReceipt.js'
import { createSimulatedWorld, signedAt } from '../../core/receipt/testing/simulatedWorld.js'
import { tdxSerials } from '../../core/simulation/testing/index.js'
import { jsonOf, runInProcess } from '../testing/runInProcess.js'
import { serveBlocks, serveChain } from '../testing/servers.js'

const day = 86_400
const world = await createSimulatedWorld()
const old = mintReceipt(world)
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'perigee-now-'))
  await writeFile(join(folder, 'bundle.json'), printBundle(old))
  await writeFile(join(folder, 'trust.json'), JSON.stringify(old.anchors))
})
afterAll(() => rm(folder, { recursive: true }))

const offline = (at: number, ...more: string[]) =>
  runInProcess(['bundle.json', '--offline', '--trust', 'trust.json', '--no-stack', '--now', ...more], folder, at)

test('--now judges with collateral in force today: the receipt’s own while it is, then only newer', async () => {
  const own = await offline(signedAt + 5 * day, '--json')
  expect(jsonOf(own)).toMatchObject({
    restsOnBundle: true,
    today: { kind: 'checked', source: 'the receipt itself' },
  })
  const late = await offline(signedAt + 100 * day)
  expect([late.exit, late.stdout]).toEqual([1, expect.stringMatching(/^today {3}SKIP [^]*NOT VERIFIED as of today/m)])
})

test.each([
  ['accepts', [], 3, /^today {3}TCB UpToDate by collateral issued .* from newer\.json$/m],
  ['revokes the platform', [tdxSerials.pck], 1, /^today {3}FAIL \[cert_revoked\][^]*NOT VERIFIED as of today/m],
] as const)('the reader’s own newer collateral decides: it %s', async (_, revokedByPckCa, exit, text) => {
  const at = signedAt + 15 * day
  await writeFile(join(folder, 'newer.json'), await world.collateralOf(at - day, { revokedByPckCa }))
  const outcome = await offline(at, '--collateral', 'newer.json')
  expect([outcome.exit, outcome.stdout]).toEqual([exit, expect.stringMatching(text)])
})

test('--collateral without --now is wrong usage', async () => {
  expect((await runInProcess(['bundle.json', '--offline', '--collateral', 'newer.json'], folder)).exit).toBe(2)
})

const { chainId, address: first } = old.anchors.contracts[0]!
const second = `0x${'5e'.repeat(20)}` as const

test.each([
  ['first', first],
  ['second', second],
])(
  'online, the collateral of the newest receipt decides, published by the %s expected contract',
  async (_, contract) => {
    const contracts = [...old.anchors.contracts, { chainId, address: second }]
    await writeFile(join(folder, 'both.json'), JSON.stringify({ ...old.anchors, contracts }))
    const at = signedAt + 15 * day
    const revoking = await world.collateralOf(at - day, { revokedByPckCa: [tdxSerials.pck] })
    const newest = mintReceipt(world, { transaction: { nonce: 8 }, assembled: { at, collateral: revoking } })
    const gateway = await serveBlocks({ ...blocksOf(old), ...blocksOf(newest), [cidOf(revoking)]: revoking })
    const events = [...old.evidence.events, ...old.evidence.birth.events]
    const later = newest.evidence.events.map((event) => ({ ...event, contract, blockNumber: 40 }))
    const node = await serveChain([...events, ...later], { releases: old.evidence.releases.announcements })
    const places = ['--gateway', gateway.url, '--rpc', node.url, '--trust', 'both.json', '--no-stack', '--json']
    const plain = await runInProcess([old.evidence.cid, ...places], folder, at)
    const today = await runInProcess([old.evidence.cid, ...places, '--now'], folder, at)
    await Promise.all([gateway.close(), node.close()])
    expect(jsonOf(plain)).toMatchObject({ verified: true })
    expect(jsonOf(today)).toMatchObject({
      verified: false,
      failed: [],
      today: { kind: 'refused', code: 'cert_revoked' },
    })
  },
)
