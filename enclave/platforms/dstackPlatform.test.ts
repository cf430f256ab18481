import type { KeyObject } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromHex, toHex } from '@perigee/core'
import { readBootLog, replayRtmr3 } from '@perigee/core/measurements'
import { bootLog, mintQuote } from '@perigee/core/simulation'
import { parseQuote } from '@perigee/core/tdx'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCollateralSupply } from '../../clients/collateral/createCollateralSupply.js'
import { createRevocationLists } from '../../clients/collateral/createRevocationLists.js'
import { createEvidenceVerifier } from '../../clients/enclave/createEvidenceVerifier.js'
import { simulatedRelease } from '../../core/simulation/testing/createSimulatedRelease.js'
import { openDstackPlatform } from './dstackPlatform.js'
import type { Platform } from './Platform.js'
import { createTestWorld, randomHex, type TestWorld } from '../testing/createTestWorld.js'
import { createKeyRequest, signRequest, walletOf } from '../testing/requests.js'
import { serveEnclave } from '../../clients/enclave/testing/serveEnclave.js'
import { serveGuestAgent, type GuestAgentOptions } from '../testing/serveGuestAgent.js'
import { fixturesDir } from '../../core/tdx/testing/fixtures.js'

let world: TestWorld
beforeAll(async () => {
  world = await createTestWorld()
})
afterAll(() => world.remove())

const app = {
  composeHash: randomHex(32),
  appId: randomHex(20),
  keyProvider: { name: 'kms' as const, id: randomHex(91) },
}
const events = bootLog(app)
let count = 0
const sameKeys = (a: Platform | undefined, b: Platform | undefined) =>
  a?.sealingKeys.byVersion.get(1)?.equals(b?.sealingKeys.byVersion.get(1) as KeyObject)
async function agentWith(changes: Partial<GuestAgentOptions> = {}) {
  const socket = join(world.dir, `dstack-${count++}.sock`)
  const agent = await serveGuestAgent({ socket, keys: world.tdx.quoteKeys, events, ...changes })
  return { ...agent, socket }
}

describe('an enclave on a dstack machine', () => {
  test('creates and signs with evidence that convinces the verifier', async () => {
    const agent = await agentWith()
    const platform = await openDstackPlatform(agent.socket)
    const enclave = await serveEnclave(world, {}, platform)
    const list = simulatedRelease(new Date())
    const release = { ...list, enclaves: list.enclaves.map((build) => ({ ...build, ...app })) }
    const verifier = createEvidenceVerifier({
      collateral: createCollateralSupply({ source: () => world.tdx.collateral(), tdxRoot: world.tdx.root }),
      revocation: createRevocationLists({
        source: async () => fromHex(world.snp.crl),
        roots: [fromHex(world.snp.root)],
      }),
      tdxRoot: world.tdx.root,
      snpRoots: [fromHex(world.snp.root)],
      releases: { current: () => release },
      policy: {},
      allowDevelopmentRoot: true,
    })
    const createRequest = createKeyRequest(world)
    const key = await enclave.client.createKey(createRequest)
    const coordinator = world.coordinator.attestation
    await verifier.verify({ kind: 'create', request: { ...createRequest, coordinator }, answer: key })
    const request = signRequest(walletOf(createRequest, key), world)
    const answer = await enclave.client.signTransaction(request)
    expect(answer).toMatchObject({ platform: 'dstack', runtimeEvents: events })
    await verifier.verify({ kind: 'sign', request: { kind: 'transaction', ...request, coordinator }, answer })
    await enclave.close()
    await agent.close()
  })

  test('seals with the agent’s key for our path, the same after a restart of the enclave', async () => {
    const [agent, other] = [await agentWith(), await agentWith()]
    const [first, again, elsewhere] = await Promise.all(
      [agent, agent, other].map(({ socket }) => openDstackPlatform(socket)),
    )
    expect(sameKeys(again, first)).toBe(true)
    expect(sameKeys(elsewhere, first)).toBe(false)
    await Promise.all([agent.close(), other.close()])
  })

  test.each<[string, GuestAgentOptions['tamper']]>([
    ['other REPORTDATA', (answer, path) => (path === '/GetQuote' ? { ...answer, quote: otherQuote() } : answer)],
    ['a log that lacks an event', (answer) => withLog(answer, (log) => log.slice(0, -1))],
    ['a log with another payload but the old digest', (answer) => withLog(answer, (log) => log.map((e) => (e.event === 'compose-hash' ? { ...e, event_payload: 'ff'.repeat(32) } : e)))], // prettier-ignore
    ['an event of an unknown type', (answer) => withLog(answer, (log) => log.map((e) => ({ ...e, event_type: 1 })))],
  ])('refuses to answer with %s', async (_, tamper) => {
    const agent = await agentWith(tamper && { tamper })
    const platform = await openDstackPlatform(agent.socket)
    await expect(platform.quote(new Uint8Array(64).fill(7))).rejects.toMatchObject({ code: 'binding_mismatch' })
    await agent.close()
  })

  test('is busy, not broken, while its agent gives no quote', async () => {
    const agent = await agentWith({
      tamper: (answer, path) => (path === '/GetQuote' ? { error: 'qgs is down' } : answer),
    })
    const platform = await openDstackPlatform(agent.socket)
    await expect(platform.quote(new Uint8Array(64))).rejects.toMatchObject({ code: 'enclave_busy', retryable: true })
    await agent.close()
    await expect(platform.quote(new Uint8Array(64))).rejects.toMatchObject({ code: 'enclave_busy' })
  })

  test('does not start without its agent', async () => {
    await expect(openDstackPlatform(join(world.dir, 'nobody.sock'))).rejects.toThrow('does not exist')
  })
})

const fixtures = fixturesDir ?? 'absent'
const recorded = join(fixtures, 'tdx', 'quotes', 'dstack_qr.eventlog.json')
test.skipIf(!existsSync(recorded))('a real machine’s log replays to the RTMR3 in its quote (fixtures)', () => {
  const { event_log } = JSON.parse(readFileSync(recorded, 'utf8')) as { event_log: LogEntry[] }
  const real = event_log
    .filter(({ imr }) => imr === 3)
    .map(({ event, event_payload }) => ({ event, payload: event_payload }))
  const quote = parseQuote(new Uint8Array(readFileSync(join(fixtures, 'tdx', 'quotes', 'dstack_qr.bin'))))
  expect(replayRtmr3(real)).toBe(quote.rtmr3)
  expect(readBootLog(real).composeHash).toBe('0x3763bc34552cf3a27ff71ad5f7a90471562a1a2df552dfc1998cba2d60da27e7')
})

interface LogEntry {
  imr: number
  event_type: number
  event: string
  event_payload: string
}
function withLog(answer: Record<string, unknown>, change: (log: LogEntry[]) => LogEntry[]) {
  if (typeof answer.event_log !== 'string') return answer
  return { ...answer, event_log: JSON.stringify(change(JSON.parse(answer.event_log) as LogEntry[])) }
}
const otherQuote = () =>
  toHex(mintQuote({ reportData: new Uint8Array(64), rtmr3: replayRtmr3(events) }, world.tdx.quoteKeys)).slice(2)
