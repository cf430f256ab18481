import { sha256 } from '@noble/hashes/sha2'
import { fromHex, toHex, type Hex } from '@perigee/core'
import { hashOf, ownersHash } from '@perigee/core/authorisation'
import { encodeResealBinding, reportData } from '@perigee/core/binding'
import type { ResealKeyAnswer, ResealKeyRequest } from '@perigee/core/enclave'
import { mintQuote } from '@perigee/core/simulation'
import { beforeAll, describe, expect, test } from 'vitest'
import { randomHex } from '../../enclave/testing/createTestWorld.js'
import { resealKeyRequest } from '../../enclave/testing/requests.js'
import { createRevocationLists } from '../collateral/createRevocationLists.js'
import { codeOf, otherPublicKey, useEvidence } from './testing/useEvidence.js'

const rig = useEvidence()
let request: ResealKeyRequest
let answer: ResealKeyAnswer
beforeAll(async () => {
  request = resealKeyRequest(rig.wallet, rig.world)
  answer = await rig.enclave.client.resealKey(request)
})

const sha256Of = (bytes: Hex): Hex => toHex(sha256(fromHex(bytes)))
const verify = (changes: Partial<ResealKeyAnswer> = {}, asked: Partial<ResealKeyRequest> = {}) =>
  codeOf(rig.verifierWith().verifyResealEvidence({ ...request, ...asked }, { ...answer, ...changes }))

/** A genuine quote over a binding with the changes. */
function quoteWith(changes: Partial<Parameters<typeof encodeResealBinding>[0]>): Hex {
  const binding = encodeResealBinding({
    keyId: request.keyId,
    publicKey: answer.publicKey,
    sealedKeyHash: sha256Of(request.sealedKey),
    nextSealedKeyHash: sha256Of(answer.sealedKey),
    sealingVersion: answer.sealingVersion,
    ownersHash: ownersHash(request.owners),
    nonce: request.nonce,
    coordinatorReportHash: sha256Of(request.coordinator.report),
    authorisationHash: hashOf({ statement: request.statement }),
    resealedAt: answer.resealedAt,
    ...changes,
  })
  return toHex(mintQuote({ reportData: fromHex(reportData(binding)) }, rig.world.tdx.quoteKeys))
}

describe('evidence that a key was resealed', () => {
  test('is accepted as it is, and with a quote over the same binding', async () => {
    expect(await verify()).toBe('accepted')
    expect(await verify({ quote: quoteWith({}) })).toBe('accepted')
  })

  test.each<[string, Parameters<typeof quoteWith>[0]]>([
    ['key', { keyId: `key_${'00'.repeat(20)}` }],
    ['public key', { publicKey: otherPublicKey }],
    ['sealed key before', { sealedKeyHash: randomHex(32) }],
    ['sealed key after', { nextSealedKeyHash: randomHex(32) }],
    ['version', { sealingVersion: 9 }],
    ['owners', { ownersHash: randomHex(32) }],
    ['nonce', { nonce: randomHex(32) }],
    ['coordinator', { coordinatorReportHash: randomHex(32) }],
    ['statement', { authorisationHash: randomHex(32) }],
    ['time', { resealedAt: 1 }],
  ])('is refused with a quote about another %s', async (_, changes) => {
    expect(await verify({ quote: quoteWith(changes) })).toBe('binding_mismatch')
  })

  test('is refused when the blob, the version or the request was exchanged', async () => {
    expect(await verify({ sealedKey: request.sealedKey })).toBe('binding_mismatch')
    expect(await verify({ sealingVersion: 2 })).toBe('binding_mismatch')
    expect(await verify({ resealedAt: answer.resealedAt + 1 })).toBe('binding_mismatch')
    expect(await verify({}, { sealedKey: answer.sealedKey })).toBe('binding_mismatch')
    expect(await verify({}, { address: randomHex(20) })).toBe('binding_mismatch')
  })
})

test('nothing is accepted from a coordinator whose chain AMD revoked', async () => {
  const revoked = await rig.world.snp.revoking([2])
  const roots = [fromHex(rig.world.snp.root)]
  const verifier = rig.verifierWith({
    revocation: createRevocationLists({ source: async () => fromHex(revoked), roots }),
  })
  const verdicts = await Promise.all(
    [
      verifier.verifySignEvidence(rig.signed, rig.answer),
      verifier.verifyCreateKeyEvidence(rig.created, rig.key),
      verifier.verifyOwnersEvidence(rig.ownersRequest, rig.resealed),
      verifier.verifyResealEvidence(request, answer),
    ].map(codeOf),
  )
  expect(verdicts).toEqual(Array(4).fill('vek_revoked'))
})
