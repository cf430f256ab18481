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
import { mintQuote, type QuoteToMint } from '@perigee/core/simulation'
import { afterAll, beforeAll } from 'vitest'
import { simulatedRelease } from '../../../dev/release/createSimulatedRelease.js'
import {
  createKeyRequest,
  createTestWorld,
  signRequest,
  type TestWorld,
} from '../../../enclave/testing/createTestWorld.js'
import { serveEnclave } from '../../../enclave/testing/serveEnclave.js'
import { createCollateralSupply } from '../../collateral/index.js'
import { createEvidenceVerifier, type EvidenceVerifierOptions } from '../createEvidenceVerifier.js'

interface Evidence {
  world: TestWorld
  enclave: Awaited<ReturnType<typeof serveEnclave>>
  createRequest: CreateKeyRequest
  key: CreateKeyAnswer
  request: SignTransactionRequest
  answer: SignTransactionAnswer
}

export const otherPublicKey: Hex = '0x0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'

/** `accepted`, or the code of the refusal. */
export const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'accepted',
    (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
  )

/** A real enclave on the simulated platform with one new key and one signature, for a whole test file. */
export function useEvidence() {
  const rig = {} as Evidence
  beforeAll(async () => {
    rig.world = await createTestWorld()
    rig.enclave = await serveEnclave(rig.world)
    rig.createRequest = createKeyRequest(rig.world.satellite)
    rig.key = await rig.enclave.client.createKey(rig.createRequest)
    rig.request = signRequest(rig.key, rig.world.satellite)
    rig.answer = await rig.enclave.client.signTransaction(rig.request)
  })
  afterAll(async () => {
    await rig.enclave.close()
    rig.world.remove()
  })

  function verifierWith(changes: Partial<EvidenceVerifierOptions> = {}) {
    const tdxRoot = changes.tdxRoot ?? rig.world.tdx.root
    return createEvidenceVerifier({
      collateral: createCollateralSupply({ source: () => rig.world.tdx.collateral(), tdxRoot }),
      tdxRoot,
      release: simulatedRelease(new Date()),
      policy: {},
      allowDevelopmentRoot: true,
      ...changes,
    })
  }

  function expectedReportData(changes: Partial<Parameters<typeof encodeSignBinding>[0]> = {}): Hex {
    const { keyId, digest, nonce, coordinatorReportHash, transaction } = rig.request
    const { signature, publicKey, policyHash, signedAt } = rig.answer
    const rest = { keyId, digest, nonce, coordinatorReportHash, signature, publicKey, policyHash, signedAt }
    const entropyHash = entropyWitnessHash(rig.request.entropy)
    return reportData(encodeSignBinding({ chainId: transaction.chainId, entropyHash, ...rest, ...changes }))
  }

  /** The answer with a quote that is genuine except for the changes, over the right REPORTDATA. */
  function requoted(changes: Partial<QuoteToMint>): SignTransactionAnswer {
    const quote = mintQuote({ reportData: fromHex(expectedReportData()), ...changes }, rig.world.tdx.quoteKeys)
    return { ...rig.answer, quote: toHex(quote) }
  }

  /** A genuine quote for the new key, over a binding with the changes. */
  function createQuote(changes: Partial<Parameters<typeof encodeCreateKeyBinding>[0]>): Hex {
    const { nonce, coordinatorReportHash, entropy } = rig.createRequest
    const { keyId, publicKey, createdAt } = rig.key
    const sealedKeyHash = toHex(sha256(fromHex(rig.key.sealedKey)))
    const entropyHash = entropyWitnessHash(entropy)
    const rest = { keyId, publicKey, createdAt, sealedKeyHash, nonce, coordinatorReportHash, entropyHash }
    const data = fromHex(reportData(encodeCreateKeyBinding({ ...rest, ...changes })))
    return toHex(mintQuote({ reportData: data }, rig.world.tdx.quoteKeys))
  }

  return Object.assign(rig, { verifierWith, expectedReportData, requoted, createQuote })
}
