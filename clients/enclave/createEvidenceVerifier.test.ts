import { fromHex, toHex, type Hex } from '@perigee/core'
import type { encodeSignBinding } from '@perigee/core/binding'
import type { SignTransactionAnswer } from '@perigee/core/enclave'
import { vendorAnchors } from '@perigee/core/receipt'
import { simulatedDigest } from '@perigee/core/simulation'
import { describe, expect, test } from 'vitest'
import { createTdx, nowSeconds, randomHex } from '../../enclave/testing/createTestWorld.js'
import { signRequest } from '../../enclave/testing/requests.js'
import { createCollateralSupply } from '../collateral/createCollateralSupply.js'
import type { SignedRequest } from './EvidenceVerifier.js'
import { codeOf, otherPublicKey, useEvidence } from './testing/useEvidence.js'

const rig = useEvidence()
const { verifierWith, expectedReportData, requoted } = rig

test('an honest answer is verified, and the verdict names its evidence', async () => {
  const verified = await verifierWith().verifySignEvidence(rig.signed, rig.answer)
  expect(verified).toMatchObject({
    simulated: true,
    verdict: { tcbStatus: 'UpToDate', reportData: expectedReportData() },
  })
  expect(verified.collateralCid).toMatch(/^bafkrei/)
  await expect(verifierWith().verifyCreateKeyEvidence(rig.created, rig.key)).resolves.toMatchObject({
    simulated: true,
  })
})

describe('a valid quote for another', () => {
  test.each<[string, () => Partial<Parameters<typeof encodeSignBinding>[0]>]>([
    ['digest', () => ({ digest: randomHex(32) })],
    ['signature', () => ({ signature: randomHex(65) })],
    ['key', () => ({ publicKey: `0x02${randomHex(32).slice(2)}` })],
    ['key id', () => ({ keyId: 'key_0' })],
    ['nonce', () => ({ nonce: randomHex(32) })],
    ['entropy sample', () => ({ entropyHash: randomHex(32) })],
    ['coordinator', () => ({ coordinatorReportHash: randomHex(32) })],
    ['owner', () => ({ ownersHash: randomHex(32) })],
    ['authorisation', () => ({ authorisationHash: randomHex(32) })],
    ['policy', () => ({ policyHash: randomHex(32) })],
    ['chain', () => ({ chainId: 1 })],
    ['time', () => ({ signedAt: rig.answer.signedAt + 1 })],
  ])('%s is refused', async (_, changes) => {
    const swapped = requoted({ reportData: fromHex(expectedReportData(changes())) })
    expect(await codeOf(verifierWith().verifySignEvidence(rig.signed, swapped))).toBe('binding_mismatch')
  })

  test('request of the same enclave is refused, either way round', async () => {
    const otherRequest = signRequest(rig.wallet, rig.world)
    const other = await rig.enclave.client.signTransaction(otherRequest)
    const verifier = verifierWith()
    expect(await codeOf(verifier.verifySignEvidence(rig.signed, { ...rig.answer, quote: other.quote }))).toBe(
      'binding_mismatch',
    )
    expect(
      await codeOf(
        verifier.verifySignEvidence(
          { ...otherRequest, coordinator: rig.signed.coordinator },
          { ...other, quote: rig.answer.quote },
        ),
      ),
    ).toBe('binding_mismatch')
    expect(await codeOf(verifier.verifySignEvidence(rig.signed, other))).toBe('signature_invalid')
    expect(await codeOf(verifier.verifySignEvidence(rig.signed, { ...rig.answer, quote: rig.key.quote }))).toBe(
      'binding_mismatch',
    )
  })

  test('purpose is refused: a signing quote does not vouch for a new key', async () => {
    expect(await codeOf(verifierWith().verifyCreateKeyEvidence(rig.created, { ...rig.key, quote: rig.answer.quote }))).toBe('binding_mismatch') // prettier-ignore
  })
})

describe('an answer is refused when', () => {
  test.each<[string, string, () => [SignedRequest, SignTransactionAnswer]]>([
    [
      'its signature is another key’s',
      'signature_invalid',
      () => [rig.signed, { ...rig.answer, signature: `0x${'11'.repeat(64)}1b` }],
    ],
    ['its public key is another', 'binding_mismatch', () => [rig.signed, { ...rig.answer, publicKey: otherPublicKey }]],
    [
      'the wallet has another address',
      'binding_mismatch',
      () => [{ ...rig.signed, address: randomHex(20) }, rig.answer],
    ],
    ['the request had another nonce', 'binding_mismatch', () => [{ ...rig.signed, nonce: randomHex(32) }, rig.answer]],
    [
      'the request had another sample',
      'binding_mismatch',
      () => [{ ...rig.signed, entropy: rig.world.satellite.sample() }, rig.answer],
    ],
    [
      'the coordinator’s root is said to be another',
      'binding_mismatch',
      () => [{ ...rig.signed, coordinator: { ...rig.signed.coordinator, rootFingerprint: randomHex(32) } }, rig.answer],
    ],
    [
      'the coordinator’s report is said to have another hash',
      'binding_mismatch',
      () => [{ ...rig.signed, coordinator: { ...rig.signed.coordinator, reportHash: randomHex(32) } }, rig.answer],
    ],
    [
      'the coordinator’s report is said to have been made after it expired',
      'binding_mismatch',
      () => {
        const { coordinator } = rig.signed
        return [{ ...rig.signed, coordinator: { ...coordinator, expiresAt: coordinator.fetchedAt - 1 } }, rig.answer]
      },
    ],
    [
      'the coordinator’s report is said to be from the future',
      'binding_mismatch',
      () => [{ ...rig.signed, coordinator: { ...rig.signed.coordinator, fetchedAt: nowSeconds() + 600 } }, rig.answer],
    ],
    [
      'the coordinator’s chain is not AMD’s',
      'vek_chain',
      () => [{ ...rig.signed, coordinator: { ...rig.signed.coordinator, vek: rig.signed.coordinator.intermediate } }, rig.answer], // prettier-ignore
    ],
    ['the request had another digest', 'digest_mismatch', () => [{ ...rig.signed, digest: randomHex(32) }, rig.answer]],
    [
      'its time is not ours',
      'binding_mismatch',
      () => [rig.signed, { ...rig.answer, signedAt: rig.answer.signedAt - 1000 }],
    ],
    [
      'its quote was touched',
      'quote_signature',
      () => [rig.signed, { ...rig.answer, quote: flipped(rig.answer.quote, 48 + 520) }],
    ],
    ['the TD is in debug mode', 'td_debug', () => [rig.signed, requoted({ tdAttributes: '0x0100001000000000' })]],
    [
      'MRTD is unknown',
      'measurement_unknown',
      () => [rig.signed, requoted({ mrTd: simulatedDigest('another firmware') })],
    ],
    [
      'RTMR0 is unknown',
      'measurement_unknown',
      () => [rig.signed, requoted({ rtmr0: simulatedDigest('another machine') })],
    ],
    [
      'RTMR1 is unknown',
      'measurement_unknown',
      () => [rig.signed, requoted({ rtmr1: simulatedDigest('another kernel') })],
    ],
    [
      'RTMR2 is unknown',
      'measurement_unknown',
      () => [rig.signed, requoted({ rtmr2: simulatedDigest('another initrd') })],
    ],
    ['RTMR3 is another', 'event_log_invalid', () => [rig.signed, requoted({ rtmr3: simulatedDigest('another app') })]],
    ['its log does not replay', 'event_log_invalid', () => [rig.signed, { ...rig.answer, runtimeEvents: [] }]],
  ])('%s: %s', async (_, code, build) => {
    expect(await codeOf(verifierWith().verifySignEvidence(...build()))).toBe(code)
  })

  test('its clock is far from ours, though the quote agrees with it', async () => {
    const signedAt = rig.answer.signedAt - 1000
    const late = { ...requoted({ reportData: fromHex(expectedReportData({ signedAt })) }), signedAt }
    expect(await codeOf(verifierWith().verifySignEvidence(rig.signed, late))).toBe('binding_mismatch')
    expect(await codeOf(verifierWith({ maxClockSkewSeconds: 2000 }).verifySignEvidence(rig.signed, late))).toBe(
      'accepted',
    )
  })

  test('the quote ends in a root that is not ours', async () => {
    const { root } = await createTdx(`${rig.world.dir}/other`)
    expect(await codeOf(verifierWith({ tdxRoot: root }).verifySignEvidence(rig.signed, rig.answer))).toBe('cert_chain')
  })

  test('the root is a development root and this is production', async () => {
    const production = verifierWith({ allowDevelopmentRoot: false })
    expect(await codeOf(production.verifySignEvidence(rig.signed, rig.answer))).toBe('development_root')
    expect(await codeOf(production.verifyCreateKeyEvidence(rig.created, rig.key))).toBe('development_root')
    const intel = fromHex(vendorAnchors().tdxRoot)
    expect(await codeOf(verifierWith({ allowDevelopmentRoot: false, tdxRoot: intel }).verifySignEvidence(rig.signed, rig.answer))).not.toBe('accepted') // prettier-ignore
  })

  test('the platform is behind on its updates', async () => {
    const outOfDate = await rig.world.tdx.collateral({
      tcbInfo: { tcbLevels: [outOfDateLevel(await rig.world.tdx.collateral())] },
    })
    const collateral = createCollateralSupply({ source: async () => outOfDate, tdxRoot: rig.world.tdx.root })
    expect(await codeOf(verifierWith({ collateral }).verifySignEvidence(rig.signed, rig.answer))).toBe(
      'tcb_not_allowed',
    )
  })

  test('its collateral is stale', async () => {
    const stale = await rig.world.tdx.collateral({ issuedAt: nowSeconds() - 7200, nextUpdate: nowSeconds() - 3600 })
    const collateral = createCollateralSupply({ source: async () => stale, tdxRoot: rig.world.tdx.root })
    expect(await codeOf(verifierWith({ collateral }).verifySignEvidence(rig.signed, rig.answer))).toBe(
      'collateral_stale',
    )
  })
})

function flipped(hex: Hex, byte: number): Hex {
  const bytes = fromHex(hex)
  bytes[byte] = (bytes[byte] as number) ^ 1
  return toHex(bytes)
}
function outOfDateLevel({ tcb_info }: { tcb_info: string }) {
  const { tcbLevels } = JSON.parse(tcb_info) as { tcbLevels: [{ tcb: never; tcbDate: string }] }
  return { ...tcbLevels[0], tcbStatus: 'OutOfDate', advisoryIDs: ['INTEL-SA-00001'] }
}
