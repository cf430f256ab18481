import { sha256 } from '@noble/hashes/sha2'
import { fromHex, ServiceError, toHex, type Hex } from '@perigee/core'
import { authorisationOf, hashOf, ownersHash } from '@perigee/core/authorisation'
import { encodeChangeOwnersBinding, encodeCreateKeyBinding, encodeSignBinding, reportData } from '@perigee/core/binding'
import { entropyWitnessHash } from '@perigee/core/entropy'
import type {
  ChangeOwnersAnswer,
  ChangeOwnersRequest,
  CreateKeyAnswer,
  CreateKeyRequest,
  ResealKeyAnswer,
  ResealKeyRequest,
  SignTransactionAnswer,
  SignTransactionRequest,
} from '@perigee/core/enclave'
import { policyHash } from '@perigee/core/policy'
import { mintQuote, type QuoteToMint } from '@perigee/core/simulation'
import { afterAll, beforeAll } from 'vitest'
import { simulatedRelease } from '../../../core/simulation/testing/createSimulatedRelease.js'
import { createSoftPasskey } from '../../../core/authorisation/testing/createSoftPasskey.js'
import { ownersOf } from '../../../core/authorisation/testing/softOwners.js'
import { createTestWorld, type TestWorld } from '../../../enclave/testing/createTestWorld.js'
import {
  changeOwnersRequest,
  createKeyRequest,
  signRequest,
  walletOf,
  type TestWallet,
} from '../../../enclave/testing/requests.js'
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

interface Evidence {
  world: TestWorld
  enclave: Awaited<ReturnType<typeof serveEnclave>>
  createRequest: CreateKeyRequest
  /** The same as the birth receipt shows it. */
  created: CreatedRequest
  key: CreateKeyAnswer
  wallet: TestWallet
  request: SignTransactionRequest
  /** The same as the receipt shows it. */
  signed: SignedRequest
  answer: SignTransactionAnswer
  /** The wallet's first owner is put in. */
  ownersRequest: ChangeOwnersRequest
  resealed: ChangeOwnersAnswer
}

export const otherPublicKey: Hex = '0x0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'

/** `accepted`, or the code of the refusal. */
export const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'accepted',
    (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
  )

/** A real enclave on the simulated platform with a new key, a signature and a change of owners, for a whole test file. */
export function useEvidence() {
  const rig = {} as Evidence
  beforeAll(async () => {
    rig.world = await createTestWorld()
    rig.enclave = await serveEnclave(rig.world)
    rig.createRequest = createKeyRequest(rig.world)
    rig.created = { ...rig.createRequest, coordinator: rig.world.coordinator.attestation }
    rig.key = await rig.enclave.client.createKey(rig.createRequest)
    rig.wallet = walletOf(rig.createRequest, rig.key)
    rig.request = signRequest(rig.wallet, rig.world)
    rig.answer = await rig.enclave.client.signTransaction(rig.request)
    rig.signed = { ...rig.request, coordinator: rig.world.coordinator.attestation }
    const passkeys = [createSoftPasskey()]
    rig.ownersRequest = changeOwnersRequest(rig.wallet, rig.world, ownersOf(passkeys), { passkeys })
    rig.resealed = await rig.enclave.client.changeOwners(rig.ownersRequest)
  })
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
