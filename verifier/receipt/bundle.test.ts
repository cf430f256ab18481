import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { printBundle } from '@perigee/core/receipt/gather'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blocksOf, mintReceipt } from '../../core/receipt/testing/mintReceipt.js'
import { createSimulatedWorld, signedAt } from '../../core/receipt/testing/simulatedWorld.js'
import { jsonOf, runInProcess } from '../testing/runInProcess.js'
import { serveBlocks, serveChain, type TestServer } from '../testing/servers.js'

const minted = mintReceipt(await createSimulatedWorld())
const { evidence, anchors } = minted
const releases = evidence.releases.announcements
let folder: string
let gateway: TestServer
let node: TestServer
const run = (...args: string[]) => runInProcess(args, folder, signedAt + 1000)
const mine = ['--trust', 'trust.json']
const lastLine = (text: string) => text.split('\n').at(-1)
const chainSteps = ['cid', 'release_list', 'times', 'onchain_event']

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'perigee-bundle-'))
  gateway = await serveBlocks(blocksOf(minted))
  node = await serveChain([...evidence.events, ...evidence.birth.events], { releases })
  await writeFile(join(folder, 'trust.json'), JSON.stringify(anchors))
  const places = ['--gateway', gateway.url, '--rpc', node.url]
  expect((await run(evidence.cid, ...places, ...mine, '--save-bundle', 'bundle.json')).exit).toBe(0)
  // What a forger would write: an event that no chain has.
  const events = evidence.events.map((event) => ({ ...event, blockNumber: 77, confirmations: 999 }))
  await writeFile(join(folder, 'invented.json'), printBundle({ evidence: { ...evidence, events }, anchors }))
})
afterAll(async () => {
  await Promise.all([gateway.close(), node.close()])
  await rm(folder, { recursive: true })
})

describe('a bundle with a node', () => {
  test('gives the bytes, and the node says what is on the chain', async () => {
    const asked = gateway.asked.length
    const outcome = await run('bundle.json', ...mine, '--rpc', node.url, '--json')
    expect(jsonOf(outcome)).toMatchObject({ verified: true, skipped: [], notes: [] })
    expect([outcome.exit, gateway.asked.length]).toEqual([0, asked])
  })

  test('does not verify by an event that the node does not know', async () => {
    const empty = await serveChain([], { releases })
    const outcome = await run('invented.json', ...mine, '--rpc', empty.url, '--json')
    await empty.close()
    expect(outcome.exit).toBe(1)
    expect(jsonOf(outcome)).toMatchObject({ verified: false, blockTime: null })
    expect(jsonOf(outcome).failed).toContain('onchain_event')
    expect(empty.asked.length).toBeGreaterThan(0)
  })

  test('is not verified without one, and says what to give', async () => {
    const { exit, stdout } = await run('bundle.json', ...mine)
    expect(exit).toBe(1)
    expect(stdout).toMatch(/FAIL onchain_event .*--rpc/)
  })
})

describe('--offline', () => {
  test('checks the bytes without any network, and passes no step that needs the chain', async () => {
    const asked = gateway.asked.length + node.asked.length
    const outcome = await run('bundle.json', '--offline', ...mine, '--json')
    expect(outcome.exit).toBe(3)
    expect(jsonOf(outcome)).toMatchObject({
      verified: false,
      restsOnBundle: true,
      failed: [],
      skipped: chainSteps,
      trust: { source: 'trust.json', selfMade: false },
    })
    expect(gateway.asked.length + node.asked.length).toBe(asked)
    const { stdout } = await run('bundle.json', '--offline', ...mine)
    expect(stdout).toMatch(/^blockTime .* as recorded in the bundle, not checked$/m)
    expect(stdout).toMatch(/PASS quote .*as recorded and not checked/)
    expect(stdout).toMatch(/PASS birth .*except cid, release_list, times, onchain_event/)
    expect(lastLine(stdout)).toMatch(/^NOT VERIFIED: what needs no network holds\./)
  })

  test('tells an invented event from none, but never verifies by it', async () => {
    expect((await run('invented.json', '--offline', ...mine)).exit).toBe(3)
    const { exit, stdout } = await run('bundle.json', '--offline', ...mine, '--confirmations', '99')
    expect([exit, stdout]).toEqual([1, expect.stringMatching(/FAIL onchain_event/)])
  })

  test('does not call it verified where the reader leaves out what the chain says', async () => {
    const skips = [...chainSteps, 'measurements'].flatMap((step) => ['--skip', step])
    const { exit, stdout } = await run('bundle.json', '--offline', ...mine, ...skips)
    expect([exit, lastLine(stdout)]).toEqual([3, expect.stringMatching(/^NOT VERIFIED: you left out 5 of its steps: /)])
  })

  test('never calls a bundle verified under the anchors that it brings', async () => {
    const outcome = await run('bundle.json', '--offline', '--json')
    expect(outcome.exit).toBe(3)
    expect(jsonOf(outcome)).toMatchObject({
      verified: false,
      restsOnBundle: true,
      failed: [],
      trust: { source: expect.stringContaining('the bundle itself'), selfMade: true },
    })
    const { exit, stdout } = await run('bundle.json', '--rpc', node.url)
    expect(exit).toBe(3)
    expect(lastLine(stdout)).toMatch(/^NOT VERIFIED: it holds only under the trust anchors in the bundle/)
  })

  test('refuses a bundle that was tampered with, or that hides its own roots', async () => {
    const bundle = JSON.parse(await readFile(join(folder, 'bundle.json'), 'utf8')) as Record<string, unknown>
    const variants: Record<string, unknown> = {
      receipt: { ...bundle, receipt: Buffer.from('{}').toString('base64') },
      collateral: { ...bundle, collateral: Buffer.from('{}').toString('base64') },
      events: { ...bundle, events: [] },
      extra: { ...bundle, extra: 1 },
      anchors: { ...bundle, trustAnchors: { ...(bundle.trustAnchors as object), simulated: false } },
      version: { version: 'perigee-bundle/1' },
    }
    for (const [name, value] of Object.entries(variants)) {
      await writeFile(join(folder, 'spoiled.json'), JSON.stringify(value))
      expect([name, (await run('spoiled.json', '--offline')).exit]).toEqual([name, 1])
    }
  })

  test('needs a bundle', async () => {
    await writeFile(join(folder, 'receipt.json'), evidence.receipt)
    expect((await run('receipt.json', '--offline')).exit).toBe(2)
  })
})

test('a bundle says from which block on its maker searched', async () => {
  const places = ['--gateway', gateway.url, '--rpc', node.url, '--from-block', '4']
  expect((await run(evidence.cid, ...places, ...mine, '--save-bundle', 'late.json')).exit).toBe(0)
  const { stdout } = await run('late.json', '--offline', ...mine)
  expect(stdout).toMatch(/SKIP onchain_event .*blocks before 4 were not searched/)
})
