import { sha256 } from '@noble/hashes/sha2'
import { fromHex, ServiceError, toHex, type Hex } from '@perigee/core'
import { encodeCreateKeyBinding, encodeSignBinding, reportData } from '@perigee/core/binding'
import { entropyWitnessHash } from '@perigee/core/entropy'
import type {
  CreateKeyAnswer,
  CreateKeyRequest,
  SignTransactionAnswer,
  SignTransactionRequest,
} from '@perigee/core/enclave'
import { replayRtmr3, type MeasurementRelease } from '@perigee/core/measurements'
import { vendorAnchors } from '@perigee/core/receipt'
import { mintQuote, simulatedDigest, type QuoteToMint } from '@perigee/core/simulation'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulatedRelease } from '../../dev/release/index.js'
import {
  createKeyRequest,
  createTdx,
  createTestWorld,
  nowSeconds,
  randomHex,
  signRequest,
  type TestWorld,
} from '../../enclave/testing/createTestWorld.js'
import { serveEnclave } from '../../enclave/testing/serveEnclave.js'
import { createCollateralSupply } from '../collateral/index.js'
import { createEvidenceVerifier, type EvidenceVerifierOptions } from './createEvidenceVerifier.js'

let world: TestWorld
let enclave: Awaited<ReturnType<typeof serveEnclave>>
let createRequest: CreateKeyRequest
let key: CreateKeyAnswer
let request: SignTransactionRequest
let answer: SignTransactionAnswer

beforeAll(async () => {
  world = await createTestWorld()
  enclave = await serveEnclave(world)
  createRequest = createKeyRequest(world.satellite)
  key = await enclave.client.createKey(createRequest)
  request = signRequest(key, world.satellite)
  answer = await enclave.client.signTransaction(request)
})
afterAll(async () => {
  await enclave.close()
  world.remove()
})

function verifierWith(changes: Partial<EvidenceVerifierOptions> = {}) {
  const tdxRoot = changes.tdxRoot ?? world.tdx.root
  return createEvidenceVerifier({
    collateral: createCollateralSupply({ source: () => world.tdx.collateral(), tdxRoot }),
    tdxRoot,
    release: simulatedRelease(new Date()),
    policy: {},
    allowDevelopmentRoot: true,
    ...changes,
  })
}
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'accepted',
    (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
  )
/** The answer with a quote that is genuine in every way but the given ones, over the right REPORTDATA. */
const requoted = (changes: Partial<QuoteToMint>): SignTransactionAnswer => ({
  ...answer,
  quote: toHex(mintQuote({ reportData: fromHex(expectedReportData()), ...changes }, world.tdx.quoteKeys)),
})
function expectedReportData(changes: Partial<Parameters<typeof encodeSignBinding>[0]> = {}): Hex {
  const { keyId, digest, nonce, coordinatorReportHash, transaction } = request
  const { signature, publicKey, policyHash, signedAt } = answer
  const rest = { keyId, digest, nonce, coordinatorReportHash, signature, publicKey, policyHash, signedAt }
  const entropyHash = entropyWitnessHash(request.entropy)
  return reportData(encodeSignBinding({ chainId: transaction.chainId, entropyHash, ...rest, ...changes }))
}

test('an honest answer is verified, and the verdict names its evidence', async () => {
  const verified = await verifierWith().verifySignEvidence(request, answer)
  expect(verified).toMatchObject({
    simulated: true,
    verdict: { tcbStatus: 'UpToDate', reportData: expectedReportData() },
  })
  expect(verified.collateralCid).toMatch(/^bafkrei/)
  await expect(verifierWith().verifyCreateKeyEvidence(createRequest, key)).resolves.toMatchObject({ simulated: true })
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
    ['policy', () => ({ policyHash: randomHex(32) })],
    ['chain', () => ({ chainId: 1 })],
    ['time', () => ({ signedAt: answer.signedAt + 1 })],
  ])('%s is refused', async (_, changes) => {
    const swapped = requoted({ reportData: fromHex(expectedReportData(changes())) })
    expect(await codeOf(verifierWith().verifySignEvidence(request, swapped))).toBe('binding_mismatch')
  })

  test('request of the same enclave is refused, either way round', async () => {
    const otherRequest = signRequest(key, world.satellite)
    const other = await enclave.client.signTransaction(otherRequest)
    const verifier = verifierWith()
    expect(await codeOf(verifier.verifySignEvidence(request, { ...answer, quote: other.quote }))).toBe(
      'binding_mismatch',
    )
    expect(await codeOf(verifier.verifySignEvidence(otherRequest, { ...other, quote: answer.quote }))).toBe(
      'binding_mismatch',
    )
    expect(await codeOf(verifier.verifySignEvidence(request, other))).toBe('signature_invalid')
    expect(await codeOf(verifier.verifySignEvidence(request, { ...answer, quote: key.quote }))).toBe('binding_mismatch')
  })

  test('purpose is refused: a signing quote does not vouch for a new key', async () => {
    expect(await codeOf(verifierWith().verifyCreateKeyEvidence(createRequest, { ...key, quote: answer.quote }))).toBe('binding_mismatch') // prettier-ignore
  })
})

describe('an answer is refused when', () => {
  test.each<[string, string, () => [SignTransactionRequest, SignTransactionAnswer]]>([
    [
      'its signature is another key’s',
      'signature_invalid',
      () => [request, { ...answer, signature: `0x${'11'.repeat(64)}1b` }],
    ],
    ['its public key is another', 'binding_mismatch', () => [request, { ...answer, publicKey: otherPublicKey }]],
    ['the wallet has another address', 'binding_mismatch', () => [{ ...request, address: randomHex(20) }, answer]],
    ['the request had another nonce', 'binding_mismatch', () => [{ ...request, nonce: randomHex(32) }, answer]],
    [
      'the request had another sample',
      'binding_mismatch',
      () => [{ ...request, entropy: world.satellite.sample() }, answer],
    ],
    ['the request had another digest', 'digest_mismatch', () => [{ ...request, digest: randomHex(32) }, answer]],
    ['its time is not ours', 'binding_mismatch', () => [request, { ...answer, signedAt: answer.signedAt - 1000 }]],
    [
      'its quote was touched',
      'quote_signature',
      () => [request, { ...answer, quote: flipped(answer.quote, 48 + 520) }],
    ],
    ['the TD is in debug mode', 'td_debug', () => [request, requoted({ tdAttributes: '0x0100001000000000' })]],
    [
      'MRTD is unknown',
      'measurement_unknown',
      () => [request, requoted({ mrTd: simulatedDigest('another firmware') })],
    ],
    [
      'RTMR0 is unknown',
      'measurement_unknown',
      () => [request, requoted({ rtmr0: simulatedDigest('another machine') })],
    ],
    [
      'RTMR1 is unknown',
      'measurement_unknown',
      () => [request, requoted({ rtmr1: simulatedDigest('another kernel') })],
    ],
    [
      'RTMR2 is unknown',
      'measurement_unknown',
      () => [request, requoted({ rtmr2: simulatedDigest('another initrd') })],
    ],
    ['RTMR3 is unknown', 'measurement_unknown', () => [request, requoted({ rtmr3: simulatedDigest('another app') })]],
    ['its log does not replay', 'measurement_unknown', () => [request, { ...answer, runtimeEvents: [] }]],
  ])('%s: %s', async (_, code, build) => {
    expect(await codeOf(verifierWith().verifySignEvidence(...build()))).toBe(code)
  })

  test('its clock is far from ours, though the quote agrees with it', async () => {
    const signedAt = answer.signedAt - 1000
    const late = { ...requoted({ reportData: fromHex(expectedReportData({ signedAt })) }), signedAt }
    expect(await codeOf(verifierWith().verifySignEvidence(request, late))).toBe('binding_mismatch')
    expect(await codeOf(verifierWith({ maxClockSkewSeconds: 2000 }).verifySignEvidence(request, late))).toBe('accepted')
  })

  test('the quote ends in a root that is not ours', async () => {
    const { root } = await createTdx(`${world.dir}/other`)
    expect(await codeOf(verifierWith({ tdxRoot: root }).verifySignEvidence(request, answer))).toBe('cert_chain')
  })

  test('the root is a development root and this is production', async () => {
    const production = verifierWith({ allowDevelopmentRoot: false })
    expect(await codeOf(production.verifySignEvidence(request, answer))).toBe('development_root')
    expect(await codeOf(production.verifyCreateKeyEvidence(createRequest, key))).toBe('development_root')
    const intel = fromHex(vendorAnchors().tdxRoot)
    expect(await codeOf(verifierWith({ allowDevelopmentRoot: false, tdxRoot: intel }).verifySignEvidence(request, answer))).not.toBe('accepted') // prettier-ignore
  })

  test('the platform is behind on its updates', async () => {
    const outOfDate = await world.tdx.collateral({
      tcbInfo: { tcbLevels: [outOfDateLevel(await world.tdx.collateral())] },
    })
    const collateral = createCollateralSupply({ source: async () => outOfDate, tdxRoot: world.tdx.root })
    expect(await codeOf(verifierWith({ collateral }).verifySignEvidence(request, answer))).toBe('tcb_not_allowed')
  })

  test('its collateral is stale', async () => {
    const stale = await world.tdx.collateral({ issuedAt: nowSeconds() - 7200, nextUpdate: nowSeconds() - 3600 })
    const collateral = createCollateralSupply({ source: async () => stale, tdxRoot: world.tdx.root })
    expect(await codeOf(verifierWith({ collateral }).verifySignEvidence(request, answer))).toBe('collateral_stale')
  })
})

describe('a new key is refused when', () => {
  test.each<[string, string, () => CreateKeyAnswer]>([
    ['its sealed form was swapped', 'binding_mismatch', () => ({ ...key, sealedKey: randomHex(94) })],
    ['its address is another', 'binding_mismatch', () => ({ ...key, address: randomHex(20) })],
    ['its name is another', 'binding_mismatch', () => ({ ...key, keyId: `key_${'0'.repeat(40)}` })],
    ['its public key is another', 'binding_mismatch', () => ({ ...key, publicKey: otherPublicKey })],
    [
      'its quote is over another sample',
      'binding_mismatch',
      () => ({ ...key, quote: createQuote({ entropyHash: randomHex(32) }) }),
    ],
    [
      'its quote is over another nonce',
      'binding_mismatch',
      () => ({ ...key, quote: createQuote({ nonce: randomHex(32) }) }),
    ],
  ])('%s', async (_, code, build) => {
    expect(await codeOf(verifierWith().verifyCreateKeyEvidence(createRequest, build()))).toBe(code)
  })

  test('and the same quote over the right things is accepted', async () => {
    expect(
      await codeOf(verifierWith().verifyCreateKeyEvidence(createRequest, { ...key, quote: createQuote({}) })),
    ).toBe('accepted')
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
      await codeOf(verifierWith({ release: release(composeHash) }).verifySignEvidence(request, from(events))),
    ).toBe('accepted')
    expect(await codeOf(verifierWith({ release: release(randomHex(32)) }).verifySignEvidence(request, from(events)))).toBe('measurement_unknown') // prettier-ignore
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
      expect(await codeOf(verifier.verifySignEvidence(request, from(log)))).toBe('measurement_unknown')
    }
    expect(await codeOf(verifier.verifySignEvidence(request, { ...from(events), runtimeEvents: null }))).toBe(
      'measurement_unknown',
    )
  })
})

const otherPublicKey: Hex = '0x0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'
function flipped(hex: Hex, byte: number): Hex {
  const bytes = fromHex(hex)
  bytes[byte] = (bytes[byte] as number) ^ 1
  return toHex(bytes)
}
function createQuote(changes: Partial<Parameters<typeof encodeCreateKeyBinding>[0]>): Hex {
  const { nonce, coordinatorReportHash, entropy } = createRequest
  const { keyId, publicKey, createdAt } = key
  const sealedKeyHash = toHex(sha256(fromHex(key.sealedKey)))
  const entropyHash = entropyWitnessHash(entropy)
  const binding = { keyId, publicKey, createdAt, sealedKeyHash, nonce, coordinatorReportHash, entropyHash, ...changes }
  return toHex(mintQuote({ reportData: fromHex(reportData(encodeCreateKeyBinding(binding))) }, world.tdx.quoteKeys))
}
function outOfDateLevel({ tcb_info }: { tcb_info: string }) {
  const { tcbLevels } = JSON.parse(tcb_info) as { tcbLevels: [{ tcb: never; tcbDate: string }] }
  return { ...tcbLevels[0], tcbStatus: 'OutOfDate', advisoryIDs: ['INTEL-SA-00001'] }
}
