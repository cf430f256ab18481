import { fromHex, type Hex } from '@perigee/core'
import type { CoordinatorEvidence } from '@perigee/core/enclave'
import { vendorAnchors } from '@perigee/core/receipt'
import { simulatedDigest } from '@perigee/core/simulation'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCoordinator, type CoordinatorChanges } from '../../core/authorisation/testing/createCoordinator.js'
import { createSnp } from '../../core/receipt/testing/simulatedWorld.js'
import { simulatedRelease } from '../../core/simulation/testing/createSimulatedRelease.js'
import { alterations } from '../testing/alterations.js'
import { codeOf, createEnclave, type EnclaveChanges } from '../testing/createEnclave.js'
import { createTestWorld, nowSeconds, randomHex, type TestWorld } from '../testing/createTestWorld.js'
import { createKeyRequest, signRequest, walletOf, type TestWallet } from '../testing/requests.js'

let world: TestWorld
let wallet: TestWallet
beforeAll(async () => {
  world = await createTestWorld()
  const request = createKeyRequest(world)
  wallet = walletOf(request, await createEnclave(world).createKey(request))
})
afterAll(() => world.remove())

/** What becomes of a request by this coordinator, and how often a key was opened for it. */
async function outcome(coordinator = world.coordinator, changes: EnclaveChanges = {}, evidence = coordinator.evidence) {
  const enclave = createEnclave(world, changes)
  const request = { ...signRequest(wallet, { ...world, coordinator }), coordinator: evidence }
  const code = await codeOf(enclave.signTransaction(request))
  return { code, opened: enclave.uses.sealingKey }
}
const unopened = (code: string) => ({ code, opened: 0 })
const release = simulatedRelease(new Date())
const listed = (changes: object) => {
  const list = { ...release, coordinators: release.coordinators.map((one) => ({ ...one, ...changes })) }
  return { coordinators: { releases: { current: () => list } } }
}

describe('a coordinator', () => {
  test('whose report is genuine and whose build is published may ask', async () => {
    expect(await outcome()).toEqual({ code: 'accepted', opened: 1 })
  })

  test.each<[string, string, CoordinatorChanges]>([
    ['an unpublished build', 'measurement_unknown', { report: { measurement: simulatedDigest('another build') } }],
    [
      'the published image, started by somebody else for another purpose',
      'measurement_unknown',
      { report: { hostData: randomHex(32) } },
    ],
    ['another privilege level', 'platform_not_allowed', { report: { vmpl: 1 } }],
    ['the host, which can ask for reports too', 'vmpl_mismatch', { report: { vmpl: 0xffffffff } }],
    ['a guest that may be debugged', 'policy_debug', { report: { policy: 0xb0000n } }],
    ['a guest that may be moved', 'policy_migration', { report: { policy: 0x70000n } }],
    [
      'firmware its key is not certified for',
      'tcb_mismatch',
      { report: { tcb: { bootloader: 4, tee: 0, snp: 99, microcode: 213 } } },
    ],
    [
      'an identity its report does not bind',
      'coordinator_binding_mismatch',
      { report: { reportData: new Uint8Array(64) } },
    ],
    ['a report that has expired', 'coordinator_expired', { expiresAt: nowSeconds() - 1 }],
    ['a report that claims too long a life', 'statement_invalid', { expiresAt: nowSeconds() + 2 * 86_400 }],
    ['a request key that is no key', 'statement_invalid', { identity: { requestKey: `0x02${'ff'.repeat(32)}` } }],
  ])('with %s may not: %s', async (_, code, changes) => {
    expect(await outcome(createCoordinator(world.snp, changes))).toEqual(unopened(code))
  })

  test('of a chip below the minimum, or of another VMPL than published, may not', async () => {
    const minTcb = { bootloader: 4, tee: 0, snp: 23, microcode: 214 }
    expect(await outcome(undefined, listed({ minTcb }))).toEqual(unopened('tcb_not_allowed'))
    expect(await outcome(undefined, listed({ vmpl: 1 }))).toEqual(unopened('platform_not_allowed'))
  })

  test('under a root that is not ours may not', async () => {
    const elsewhere = createCoordinator(await createSnp(nowSeconds(), [randomHex(32), randomHex(32)]))
    expect(await outcome(elsewhere)).toEqual(unopened('vek_chain'))
    const roots = vendorAnchors().snpRoots.map((root) => fromHex(root))
    expect(await outcome(undefined, { coordinators: { roots } })).toEqual(unopened('vek_chain'))
    expect(await outcome(undefined, { coordinators: { roots: [] } })).toEqual(unopened('platform_not_allowed'))
  })

  test('that is published as simulated may not ask an enclave on real hardware', async () => {
    expect(await outcome(undefined, { coordinators: { simulated: false } })).toEqual(unopened('development_root'))
  })

  test('is told what is wrong with its report, not that another generation of chips has another root', async () => {
    const debug = createCoordinator(world.snp, { report: { policy: 0xb0000n } })
    const roots = [fromHex(world.snp.root), ...vendorAnchors().snpRoots.map((root) => fromHex(root))]
    expect(await outcome(debug, { coordinators: { roots } })).toEqual(unopened('policy_debug'))
    expect(await outcome(undefined, { coordinators: { roots: roots.reverse() } })).toMatchObject({ code: 'accepted' })
  })

  test('may not ask with the report of another process: its request key is not the one bound', async () => {
    const other = createCoordinator(world.snp)
    expect(await outcome(world.coordinator, {}, other.evidence)).toEqual(unopened('statement_invalid'))
    const swapped = { ...other.evidence, identity: world.coordinator.identity }
    expect(await outcome(world.coordinator, {}, swapped)).toEqual(unopened('coordinator_binding_mismatch'))
  })
})

test('evidence with any member altered is refused, also when the report was verified before', async () => {
  const { evidence } = world.coordinator
  const altered = alterations(evidence, 'evidence', { 'evidence.vek': flipped(evidence.vek), 'evidence.intermediate': flipped(evidence.intermediate) }) // prettier-ignore
  expect(altered).toHaveLength(8)
  const enclave = createEnclave(world)
  await enclave.signTransaction(signRequest(wallet, world))
  for (const [path, coordinator] of altered) {
    const request = { ...signRequest(wallet, world), coordinator }
    const fresh = createEnclave(world)
    expect([path, await codeOf(fresh.signTransaction(request))]).toEqual([path, codes[path]])
    expect(fresh.uses.sealingKey).toBe(0)
    // A verified report is verified whatever certificates come with it the next time.
    const again = path === 'evidence.vek' || path === 'evidence.intermediate' ? 'accepted' : codes[path]
    expect([path, await codeOf(enclave.signTransaction(request))]).toEqual([path, again])
  }
})
const bindingMismatch = 'coordinator_binding_mismatch'
const codes: Record<string, string> = {
  'evidence.report': 'parse_failed', // its last byte is reserved
  'evidence.vek': 'vek_chain',
  'evidence.intermediate': 'vek_chain',
  'evidence.identity.service': bindingMismatch,
  'evidence.identity.requestKey': bindingMismatch,
  'evidence.identity.publishers.0': bindingMismatch,
  'evidence.nonce': bindingMismatch,
  'evidence.expiresAt': bindingMismatch,
}
/** The last bytes of a certificate are its signature. */
const flipped = (hex: Hex) => `${hex.slice(0, -2)}${hex.endsWith('00') ? '01' : '00'}`

describe('the verdict on a report', () => {
  /** Counts how often a report was verified. */
  function countingEnclave(now = nowSeconds) {
    const root = fromHex(world.snp.root)
    const seen = { verifications: 0 }
    const roots = Object.assign([root], {
      *[Symbol.iterator]() {
        seen.verifications++
        yield root
      },
    })
    const enclave = createEnclave(world, { now, coordinators: { roots } })
    const ask = (coordinator = world.coordinator, evidence: CoordinatorEvidence = coordinator.evidence) =>
      codeOf(enclave.signTransaction({ ...signRequest(wallet, { ...world, coordinator }), coordinator: evidence }))
    return { seen, ask }
  }

  test('is kept for ten minutes, and never beyond the report’s expiry', async () => {
    let later = 0
    const { seen, ask } = countingEnclave(() => nowSeconds() + later)
    expect([await ask(), await ask(), seen.verifications]).toEqual(['accepted', 'accepted', 1])
    later = 59 // statements of now are still believed
    expect([await ask(), seen.verifications]).toEqual(['accepted', 1])
    later = 601
    expect([await ask(), seen.verifications]).toEqual(['statement_expired', 2])
    later = 7300
    expect([await ask(), seen.verifications]).toEqual(['coordinator_expired', 2])
  })

  test('is not kept when the report was refused', async () => {
    const { seen, ask } = countingEnclave()
    const debug = createCoordinator(world.snp, { report: { policy: 0xb0000n } })
    expect([await ask(debug), await ask(debug), seen.verifications]).toEqual(['policy_debug', 'policy_debug', 2])
  })

  test('is kept for 64 reports, those used last', async () => {
    const { seen, ask } = countingEnclave()
    const others = Array.from({ length: 64 }, () => createCoordinator(world.snp))
    await ask()
    for (const other of others.slice(0, 63)) await ask(other)
    await ask() // used again, so it stays
    await ask(others[63])
    expect(seen.verifications).toBe(65)
    await ask()
    expect(seen.verifications).toBe(65)
    await ask(others[0])
    expect(seen.verifications).toBe(66)
  })

  test('does not serve a forger who knows a good report', async () => {
    const { seen, ask } = countingEnclave()
    await ask()
    const forger = createCoordinator(world.snp)
    const forged = { ...world.coordinator.evidence, identity: forger.identity }
    expect(await ask(forger, forged)).toBe('coordinator_binding_mismatch')
    expect([await ask(), seen.verifications]).toEqual(['accepted', 1]) // and does not push the verdict out
  })
})
