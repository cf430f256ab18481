import type { Hex } from '@perigee/core'
import type { CreateKeyAnswer } from '@perigee/core/enclave'
import { replayRtmr3, type MeasurementRelease } from '@perigee/core/measurements'
import { ownersHash } from '@perigee/core/authorisation'
import { describe, expect, test } from 'vitest'
import { createSoftPasskey } from '../../core/authorisation/testing/createSoftPasskey.js'
import { ownersOf } from '../../core/authorisation/testing/softOwners.js'
import { simulatedRelease } from '../../dev/release/createSimulatedRelease.js'
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
    expect(await codeOf(verifierWith().verifyCreateKeyEvidence(rig.createRequest, build()))).toBe(code)
  })

  test('and the same quote over the right things is accepted', async () => {
    expect(
      await codeOf(verifierWith().verifyCreateKeyEvidence(rig.createRequest, { ...rig.key, quote: createQuote({}) })),
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
  const composeHash = randomHex(32)
  const events = [
    { event: 'app-id', payload: '00'.repeat(20) },
    { event: 'compose-hash', payload: composeHash.slice(2) },
    { event: 'system-ready', payload: '' },
  ]
  const release = (hash: Hex): MeasurementRelease => {
    const { enclaves, ...rest } = simulatedRelease(new Date())
    return { ...rest, enclaves: enclaves.map(({ rtmr3: _, ...build }) => ({ ...build, composeHash: hash })) }
  }
  const from = (log: typeof events) => ({ ...requoted({ rtmr3: replayRtmr3(log) }), runtimeEvents: log })

  test('is known by the compose hash that its boot measured', async () => {
    expect(
      await codeOf(verifierWith({ release: release(composeHash) }).verifySignEvidence(rig.signed, from(events))),
    ).toBe('accepted')
    expect(await codeOf(verifierWith({ release: release(randomHex(32)) }).verifySignEvidence(rig.signed, from(events)))).toBe('measurement_unknown') // prettier-ignore
  })

  test('cannot name its compose hash after the boot, twice, or without the log', async () => {
    const verifier = verifierWith({ release: release(composeHash) })
    const [appId, compose, ready] = events as [(typeof events)[0], (typeof events)[0], (typeof events)[0]]
    for (const log of [
      [appId, ready, compose],
      [appId, compose, compose, ready],
      [appId, compose],
      [appId, ready],
    ]) {
      expect(await codeOf(verifier.verifySignEvidence(rig.signed, from(log)))).toBe('measurement_unknown')
    }
    expect(await codeOf(verifier.verifySignEvidence(rig.signed, { ...from(events), runtimeEvents: null }))).toBe(
      'measurement_unknown',
    )
  })
})
