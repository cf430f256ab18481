import { randomBytes, randomUUID } from 'node:crypto'
import type { DataSource } from 'typeorm'
import { entropyWitnessHash, ServiceError, toHex, transactionHash, verifyDigest, type Hex } from '@perigee/core'
import type { SignDigestInput } from '@perigee/core/workflow'
import type { CoordinatorAttestor } from '../../clients/snp/CoordinatorAttestor.js'
import {
  findSigner,
  recordSignature,
  type ReceiptAnchors,
  type SignatureRecord,
  type SignedRow,
} from '../../database/index.js'
import type { EnclaveClient } from '../../clients/enclave/EnclaveClient.js'
import type { EvidenceVerifier } from '../../clients/enclave/EvidenceVerifier.js'
import type { EntropySupply } from '../../clients/entropy/EntropySupply.js'
import { withSample } from '../../clients/entropy/withSample.js'
import { createHeadStarts } from './createHeadStarts.js'
import { signedRecord } from './signedRecord.js'

export interface SigningDeps {
  database: DataSource
  entropy: Pick<EntropySupply, 'take' | 'retire'>
  coordinator: Pick<CoordinatorAttestor, 'current'>
  enclave: Pick<EnclaveClient, 'signTransaction'>
  evidence: Pick<EvidenceVerifier, 'verifySignEvidence'>
  /** Addresses that receipts name. */
  anchors: ReceiptAnchors
  /** Whom we believed when we verified: pinned once, named by every receipt. */
  trustAnchors: { cid: string; bytes: Uint8Array }
  now: () => Date
}

/** A signature that is committed, with the names its publication needs. All of it is public or will be. */
export interface SignedTransaction {
  signature: Hex
  slug: string
  txHash: Hex
  wallet: Hex
  chainId: number
  /** Its publication has been started. Absent: the workflow does that. */
  publishing?: true
}

/** The steps before the commit: a signature that was committed before, or all that is to be committed now. */
type Made = { signed: SignedTransaction } | { address: Hex; record: SignatureRecord }

const nameOf = ({ walletId, digest }: SignDigestInput) => `${walletId}/${digest}`

export function createSigningActivities(deps: SigningDeps) {
  const headStarts = createHeadStarts<SignedTransaction>()

  function refuseExpired({ expiresAtMs }: SignDigestInput): void {
    if (deps.now().getTime() <= expiresAtMs) return
    throw new ServiceError('request_expired', 'the request waited too long to be signed; send it again')
  }

  async function make(input: SignDigestInput): Promise<Made> {
    const signer = await findSigner(deps.database, input.walletId, input.digest)
    if (!signer) throw new ServiceError('wallet_not_found', 'there is no such wallet')
    const { wallet } = signer
    if (signer.signed) return { signed: give(signer.signed, wallet.address) }

    refuseExpired(input)
    verifyDigest(input.transaction, input.digest)
    const purpose = { kind: 'sign', id: nameOf(input) } as const
    return withSample(deps.entropy, purpose, async (entropy) => {
      const coordinator = await deps.coordinator.current()
      const request = {
        sealedKey: wallet.sealedKey,
        keyId: wallet.keyId,
        address: wallet.address,
        transaction: input.transaction,
        digest: input.digest,
        entropy,
        nonce: toHex(randomBytes(32)),
        coordinatorReportHash: coordinator.reportHash,
      }
      const answer = await deps.enclave.signTransaction(request)
      const evidence = await deps.evidence.verifySignEvidence(request, answer)
      const record = signedRecord({
        request,
        answer,
        evidence,
        coordinator,
        walletId: wallet.id,
        transactionId: randomUUID(),
        slug: randomBytes(18).toString('base64url'), // 144 bits: a proof is found only by those who were given its name
        txHash: transactionHash(input.transaction, answer.signature),
        entropyHash: entropyWitnessHash(entropy),
        anchors: deps.anchors,
        trustAnchors: deps.trustAnchors,
        now: deps.now(),
      })
      return { address: wallet.address, record }
    })
  }

  async function keep(input: SignDigestInput, made: Made): Promise<SignedTransaction> {
    if ('signed' in made) return made.signed
    refuseExpired(input)
    return give(await recordSignature(deps.database, made.record), made.address)
  }

  const begin = (input: SignDigestInput): void =>
    headStarts.begin(nameOf(input), async (wanted) => {
      const made = await make(input)
      await wanted
      return keep(input, made)
    })

  return {
    /**
     * Entropy, enclave, verification, record: one activity, because each step needs the one before it and the quote must
     * not travel through history. Safe to retry: a committed signature is found and given back, the same purpose gets
     * the same entropy, and the enclave gives the same signature for the same transaction.
     */
    async signTransaction(input: SignDigestInput): Promise<SignedTransaction> {
      return headStarts.take(nameOf(input)) ?? keep(input, await make(input))
    },

    /**
     * For a signature whose workflow is on its way here: the steps before the commit run meanwhile. Nothing is lost if it is
     * never finished: what is not committed was not promised, and another attempt has the same entropy and gets the same
     * signature.
     */
    begin,

    /** The server has stored the workflow and given it to this process, so what was begun is committed; the activity finds it done. */
    finish: (input: SignDigestInput): Promise<SignedTransaction> | undefined => headStarts.finish(nameOf(input)),

    /** Its workflow task has arrived. Gives back what is being committed for a caller in this process. */
    arrived(input: SignDigestInput): Promise<SignedTransaction> | undefined {
      begin(input)
      return headStarts.wanted(nameOf(input))
    },
  }
}

export type Signing = ReturnType<typeof createSigningActivities>
export type SigningActivities = Pick<Signing, 'signTransaction'>

function give({ signature, slug, txHash, chainId }: SignedRow, wallet: Hex): SignedTransaction {
  return { signature, slug, txHash, wallet, chainId }
}
