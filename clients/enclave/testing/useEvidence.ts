import { sha256 } from '@noble/hashes/sha2'
import { fromHex, toHex, type Hex } from '@perigee/core'
import { authorisationOf, hashOf, ownersHash } from '@perigee/core/authorisation'
import { encodeChangeOwnersBinding, encodeCreateKeyBinding, encodeSignBinding, reportData } from '@perigee/core/binding'
import { entropyWitnessHash } from '@perigee/core/entropy'
import type {
  ChangeOwnersAnswer,
  CreateKeyAnswer,
  ResealKeyAnswer,
  ResealKeyRequest,
  SignTransactionAnswer,
} from '@perigee/core/enclave'
import { policyHash } from '@perigee/core/policy'
import { mintQuote, type QuoteToMint } from '@perigee/core/simulation'
import { afterAll, beforeAll } from 'vitest'
import { simulatedRelease } from '../../../core/simulation/testing/createSimulatedRelease.js'
import { createSoftPasskey } from '../../../core/authorisation/testing/createSoftPasskey.js'
import { ownersOf } from '../../../core/authorisation/testing/softOwners.js'
import { createTestWorld } from '../../../enclave/testing/createTestWorld.js'
import { changeOwnersRequest, createKeyRequest, signRequest, walletOf } from '../../../enclave/testing/requests.js'
import { serveEnclave } from './serveEnclave.js'
import { createCollateralSupply } from '../../collateral/createCollateralSupply.js'
import { createRevocationLists } from '../../collateral/createRevocationLists.js'
import type {
  EvidenceVerifierOptions,
  OwnersRequest,
  QuoteToVerify,
  SignedMessageRequest,
  SignedRequest,
} from '../EvidenceVerifier.js'
import { createEvidenceVerifier } from '../createEvidenceVerifier.js'

type CreatedRequest = Extract<QuoteToVerify, { kind: 'create' }>['request']

export { codeOf } from '../../../enclave/testing/createEnclave.js'

export const otherPublicKey: Hex = '0x0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'

/** A new key, a signature and a change of owners by an enclave, as asked for and as answered. */
async function openEvidence() {
  const world = await createTestWorld()
  const enclave = await serveEnclave(world)
  const coordinator = world.coordinator.attestation
  const createRequest = createKeyRequest(world)
  const key = await enclave.client.createKey(createRequest)
  const wallet = walletOf(createRequest, key)
  const request = signRequest(wallet, world)
  const passkeys = [createSoftPasskey()]
  /** The wallet's first owner is put in. */
  const ownersRequest = changeOwnersRequest(wallet, world, ownersOf(passkeys), { passkeys })
  return {
    world,
    enclave,
    createRequest,
    /** The same as the birth receipt shows it. */
    created: { ...createRequest, coordinator },
    key,
    wallet,
    request,
    /** The same as the receipt shows it. */
    signed: { ...request, coordinator },
    answer: await enclave.client.signTransaction(request),
    ownersRequest,
    resealed: await enclave.client.changeOwners(ownersRequest),
  }
}

/** A real enclave on the simulated platform with a new key, a signature and a change of owners, for a whole test file. */
export function useEvidence() {
  const rig = {} as Awaited<ReturnType<typeof openEvidence>>
  beforeAll(async () => void Object.assign(rig, await openEvidence()))
  afterAll(async () => {
    await rig.enclave.close()
    rig.world.remove()
  })

  function verifierWith(changes: Partial<EvidenceVerifierOptions> = {}) {
    const tdxRoot = changes.tdxRoot ?? rig.world.tdx.root
    const { verify } = createEvidenceVerifier({
      collateral: createCollateralSupply({ source: () => rig.world.tdx.collateral(), tdxRoot }),
      revocation: createRevocationLists({
        source: async () => fromHex(rig.world.snp.crl),
        roots: [fromHex(rig.world.snp.root)],
      }),
      tdxRoot,
      snpRoots: [fromHex(rig.world.snp.root)],
      releases: { current: () => simulatedRelease(new Date()) },
      policy: {},
      allowDevelopmentRoot: true,
      ...changes,
    })
    return {
      verifySignEvidence: (request: SignedRequest, answer: SignTransactionAnswer) =>
        verify({ kind: 'sign', request: { kind: 'transaction', ...request }, answer }),
      verifyMessageEvidence: (request: SignedMessageRequest, answer: SignTransactionAnswer) =>
        verify({ kind: 'sign', request: { kind: 'message', ...request }, answer }),
      verifyCreateKeyEvidence: (request: CreatedRequest, answer: CreateKeyAnswer) =>
        verify({ kind: 'create', request, answer }),
      verifyOwnersEvidence: (request: OwnersRequest, answer: ChangeOwnersAnswer) =>
        verify({ kind: 'owners', request, answer }),
      verifyResealEvidence: (request: ResealKeyRequest, answer: ResealKeyAnswer) =>
        verify({ kind: 'reseal', request, answer }),
    }
  }

  function expectedReportData(changes: Partial<Parameters<typeof encodeSignBinding>[0]> = {}): Hex {
    const { keyId, digest, nonce, coordinator, transaction, entropy, owners } = rig.request
    const { signature, publicKey, policy, signedAt } = rig.answer
    const binding = encodeSignBinding({
      chainId: transaction.chainId,
      keyId,
      publicKey,
      digest,
      signature,
      nonce,
      coordinatorReportHash: sha256Of(coordinator.report),
      entropyHash: entropyWitnessHash(entropy),
      policyHash: policyHash(policy),
      ownersHash: ownersHash(owners),
      authorisationHash: hashOf(authorisationOf(rig.request)),
      signedAt,
      ...changes,
    })
    return reportData(binding)
  }

  /** The answer with a quote that is genuine except for the changes, over the right REPORTDATA. */
  function requoted(changes: Partial<QuoteToMint>): SignTransactionAnswer {
    const quote = mintQuote({ reportData: fromHex(expectedReportData()), ...changes }, rig.world.tdx.quoteKeys)
    return { ...rig.answer, quote: toHex(quote) }
  }

  /** A genuine quote for the new key, over a binding with the changes. */
  function createQuote(
    changes: Partial<Parameters<typeof encodeCreateKeyBinding>[0]>,
    machine: Partial<QuoteToMint> = {},
  ): Hex {
    const { nonce, coordinator, entropy, owners, statement, approval } = rig.createRequest
    const { keyId, publicKey, createdAt } = rig.key
    const binding = encodeCreateKeyBinding({
      keyId,
      publicKey,
      sealedKeyHash: sha256Of(rig.key.sealedKey),
      nonce,
      coordinatorReportHash: sha256Of(coordinator.report),
      entropyHash: entropyWitnessHash(entropy),
      ownersHash: ownersHash(owners),
      authorisationHash: hashOf({ statement, approval }),
      createdAt,
      ...changes,
    })
    return quoteOver(binding, machine)
  }

  /** A genuine quote for the key under its new owners, over a binding with the changes. */
  function ownersQuote(changes: Partial<Parameters<typeof encodeChangeOwnersBinding>[0]>): Hex {
    const { keyId, nonce, coordinator, owners, next, statement, approval } = rig.ownersRequest
    const { publicKey, sealedKey, changedAt } = rig.resealed
    const binding = encodeChangeOwnersBinding({
      keyId,
      publicKey,
      ownersHash: ownersHash(owners),
      nextOwnersHash: ownersHash(next),
      sealedKeyHash: sha256Of(sealedKey),
      nonce,
      coordinatorReportHash: sha256Of(coordinator.report),
      authorisationHash: hashOf({ statement, approval }),
      changedAt,
      ...changes,
    })
    return quoteOver(binding)
  }

  const quoteOver = (binding: Uint8Array, machine: Partial<QuoteToMint> = {}): Hex =>
    toHex(mintQuote({ reportData: fromHex(reportData(binding)), ...machine }, rig.world.tdx.quoteKeys))

  return Object.assign(rig, { verifierWith, expectedReportData, requoted, createQuote, ownersQuote })
}

const sha256Of = (bytes: Hex): Hex => toHex(sha256(fromHex(bytes)))
