import type { CreateKeyAnswer } from '@perigee/core/enclave'
import { replayRtmr3, type EnclaveBuild, type RuntimeEvent } from '@perigee/core/measurements'
import { bootLog } from '@perigee/core/simulation'
import { ownersHash } from '@perigee/core/authorisation'
import { describe, expect, test } from 'vitest'
import { createSoftPasskey } from '../../core/authorisation/testing/createSoftPasskey.js'
import { ownersOf } from '../../core/authorisation/testing/softOwners.js'
import { developmentProviders, hostileLogs } from '../../core/measurements/testing/bootLogs.js'
import { simulatedRelease } from '../../core/simulation/testing/createSimulatedRelease.js'
import { randomHex } from '../../enclave/testing/createTestWorld.js'
import { codeOf, otherPublicKey, useEvidence } from './testing/useEvidence.js'

const rig = useEvidence()
const { verifierWith, requoted, createQuote, ownersQuote } = rig

describe('a new key is refused when', () => {
  test.each<[string, string, () => CreateKeyAnswer]>([
    ['its sealed form was swapped', 'binding_mismatch', () => ({ ...rig.key, sealedKey: randomHex(94) })],
    ['its address is another', 'binding_mismatch', () => ({ ...rig.key, address: randomHex(20) })],
    ['its name is another', 'binding_mismatch', () => ({ ...rig.key, keyId: `key_${'0'.repeat(40)}` })],
    ['its public key is another', 'binding_mismatch', () => ({ ...rig.key, publicKey: otherPublicKey })],
    [
      'its quote is over another sample',
      'binding_mismatch',
      () => ({ ...rig.key, quote: createQuote({ entropyHash: randomHex(32) }) }),
    ],
    [
      'its quote is over another nonce',
      'binding_mismatch',
      () => ({ ...rig.key, quote: createQuote({ nonce: randomHex(32) }) }),
    ],
  ])('%s', async (_, code, build) => {
    expect(await codeOf(verifierWith().verifyCreateKeyEvidence(rig.created, build()))).toBe(code)
  })

  test('and the same quote over the right things is accepted', async () => {
    expect(
      await codeOf(verifierWith().verifyCreateKeyEvidence(rig.created, { ...rig.key, quote: createQuote({}) })),
    ).toBe('accepted')
  })
})

describe('a key that was sealed for other owners is refused when', () => {
  const other = createSoftPasskey()
  test.each<[string, () => Partial<Parameters<typeof ownersQuote>[0]>]>([
    ['its sealed form was swapped', () => ({ sealedKeyHash: randomHex(32) })],
    ['it was sealed for others', () => ({ nextOwnersHash: ownersHash(ownersOf([other])) })],
    ['it had other owners before', () => ({ ownersHash: ownersHash(ownersOf([other])) })],
    ['others agreed', () => ({ authorisationHash: randomHex(32) })],
    ['another coordinator asked', () => ({ coordinatorReportHash: randomHex(32) })],
    ['its quote is over another nonce', () => ({ nonce: randomHex(32) })],
  ])('%s', async (_, changes) => {
    const answer = { ...rig.resealed, quote: ownersQuote(changes()) }
    expect(await codeOf(verifierWith().verifyOwnersEvidence(rig.ownersRequest, answer))).toBe('binding_mismatch')
  })

  test('and the enclave’s own answer is accepted, as the same quote over the right things', async () => {
    for (const answer of [rig.resealed, { ...rig.resealed, quote: ownersQuote({}) }]) {
      expect(await codeOf(verifierWith().verifyOwnersEvidence(rig.ownersRequest, answer))).toBe('accepted')
    }
    const elsewhere = { ...rig.ownersRequest, address: randomHex(20) }
    expect(await codeOf(verifierWith().verifyOwnersEvidence(elsewhere, rig.resealed))).toBe('binding_mismatch')
  })
})

describe('an enclave under dstack', () => {
  /** A listed build under dstack's key service; its quotes are minted over the log of its boot. */
  const listed: EnclaveBuild = {
    ...(simulatedRelease(new Date()).enclaves[0] as EnclaveBuild),
    composeHash: randomHex(32),
    appId: randomHex(20),
    keyProvider: { name: 'kms', id: randomHex(91) },
  }
  const listOf = (build: EnclaveBuild) => ({ ...simulatedRelease(new Date()), enclaves: [build] })
  const booted = (log: RuntimeEvent[]) => ({ ...requoted({ rtmr3: replayRtmr3(log) }), runtimeEvents: log })
  const codeFor = (build: EnclaveBuild, log: RuntimeEvent[]) =>
    codeOf(verifierWith({ releases: { current: () => listOf(build) } }).verifySignEvidence(rig.signed, booted(log)))

  test('is accepted under the compose hash, app id and key service that the list names', async () => {
    expect(await codeFor(listed, bootLog(listed))).toBe('accepted')
    expect(await codeFor({ ...listed, composeHash: randomHex(32) }, bootLog(listed))).toBe('measurement_unknown')
    expect(await codeFor({ ...listed, appId: randomHex(20) }, bootLog(listed))).toBe('app_id_mismatch')
  })

  test.each(hostileLogs)('with %s is refused with %s', async (_, code, change) => {
    expect(await codeFor(listed, change(bootLog(listed)))).toBe(code)
  })

  test.each(developmentProviders)('with keys from %s is refused', async (_, change) => {
    expect(await codeFor({ ...listed, simulated: false }, change(bootLog(listed)))).toBe('key_provider_development')
  })

  test('creates no key that would be known to an attacker’s key service', async () => {
    const log = bootLog({ ...listed, keyProvider: { name: 'kms', id: randomHex(91) } })
    const key = { ...rig.key, quote: createQuote({}, { rtmr3: replayRtmr3(log) }), runtimeEvents: log }
    const verifier = verifierWith({ releases: { current: () => listOf(listed) } })
    expect(await codeOf(verifier.verifyCreateKeyEvidence(rig.created, key))).toBe('key_provider_mismatch')
  })
})

test('a verifier obeys a newer list at once, though it knows the coordinator’s report', async () => {
  let list = simulatedRelease(new Date())
  const verifier = verifierWith({ releases: { current: () => list } })
  expect(await codeOf(verifier.verifySignEvidence(rig.signed, rig.answer))).toBe('accepted')
  list = { ...list, version: 2, coordinators: [] }
  expect(await codeOf(verifier.verifySignEvidence(rig.signed, rig.answer))).toBe('measurement_unknown')
  list = { ...simulatedRelease(new Date()), version: 3, enclaves: [] }
  expect(await codeOf(verifier.verifySignEvidence(rig.signed, rig.answer))).toBe('measurement_unknown')
})
