import { secp256k1 } from '@noble/curves/secp256k1'
import { keccak_256 } from '@noble/hashes/sha3'
import { sha256 } from '@noble/hashes/sha2'
import type { Authorisation } from '../authorisation/index.js'
import { canonicalJson, fromHex, toHex, type Hex } from '../bytes/index.js'
import type { EntropySample } from '../entropy/index.js'
import { ServiceError, withCode } from '../errors/index.js'
import { transactionDigest, transactionHash, type TxMetadata } from '../transaction/index.js'
import type { AttestationReceiptV1 } from './AttestationReceiptV1.js'
import { parseReceipt } from './parseReceipt.js'
import { isVendorRoot } from './vendorRoots.js'

type Signer = AttestationReceiptV1['signer']
type Coordinator = AttestationReceiptV1['coordinator']

/** Everything in a receipt that cannot be computed from the rest of it. */
export interface ReceiptInput {
  /** When the signature was recorded. Taken from the record, so that a rebuilt receipt has the same CID. */
  issuedAt: string
  transaction: TxMetadata
  signature: Hex
  signer: Omit<Signer, 'kind' | 'address'>
  coordinator: Omit<Coordinator, 'kind' | 'reportHash'>
  authorisation: Authorisation
  entropy: EntropySample
  publication: { chainId: number; contract: Hex }
  trustAnchorsCid: string
  /** Address of `docs/receipt-v1.md` and of instructions to verify, where this service publishes them. */
  spec: string
  instructions: string
}

/** The address of a compressed secp256k1 public key. */
export function addressOfPublicKey(publicKey: Hex): Hex {
  const point = withCode('public_key_mismatch', 'not a compressed secp256k1 public key', () =>
    secp256k1.ProjectivePoint.fromHex(fromHex(publicKey, 33)).toRawBytes(false),
  )
  return toHex(keccak_256(point.slice(1)).slice(12))
}

/** True when any part was not made by the vendor's hardware or a real source. */
export function isSimulated(parts: Pick<AttestationReceiptV1, 'signer' | 'coordinator' | 'entropy'>): boolean {
  const { signer, coordinator, entropy } = parts
  return (
    !isVendorRoot('intel', signer.rootFingerprint) ||
    !isVendorRoot('amd', coordinator.rootFingerprint) ||
    entropy.provenance === 'simulated'
  )
}

/** The receipt of one signature. Deterministic: the same input gives the same bytes, hence the same CID. */
export function buildReceipt(input: ReceiptInput): AttestationReceiptV1 {
  const { transaction: tx, signature, signer, coordinator } = input
  const address = addressOfPublicKey(signer.publicKey)
  const parts = {
    signer: {
      kind: 'tdx-enclave' as const,
      platform: signer.platform,
      keyId: signer.keyId,
      publicKey: lower(signer.publicKey),
      address,
      nonce: lower(signer.nonce),
      policy: signer.policy,
      signedAt: signer.signedAt,
      quote: lower(signer.quote),
      runtimeEvents: signer.runtimeEvents,
      collateralCid: signer.collateralCid,
      rootFingerprint: lower(signer.rootFingerprint),
      verifiedAt: signer.verifiedAt,
      tcbStatus: signer.tcbStatus,
      advisoryIds: [...signer.advisoryIds],
    },
    coordinator: buildCoordinator(coordinator),
    authorisation: input.authorisation,
    entropy: input.entropy,
  }
  const receipt: AttestationReceiptV1 = {
    version: 'perigee-receipt/1',
    spec: input.spec,
    issuedAt: input.issuedAt,
    simulated: isSimulated(parts),
    transaction: {
      type: 'eip1559',
      chainId: tx.chainId,
      nonce: tx.nonce,
      to: lower(tx.to),
      value: tx.value,
      data: lower(tx.data),
      gas: tx.gas,
      maxFeePerGas: tx.maxFeePerGas,
      maxPriorityFeePerGas: tx.maxPriorityFeePerGas,
      from: address,
      digest: transactionDigest(tx),
      txHash: transactionHash(tx, signature),
      signature: lower(signature),
    },
    ...parts,
    verification: {
      instructions: input.instructions,
      trustAnchorsCid: input.trustAnchorsCid,
      publication: { chainId: input.publication.chainId, contract: lower(input.publication.contract) },
    },
  }
  return parseReceipt(receiptBytes(receipt)) // never publish a receipt that our own verifier cannot read
}

function buildCoordinator(coordinator: ReceiptInput['coordinator']): Coordinator {
  const { identity } = coordinator
  return {
    kind: 'sev-snp',
    report: lower(coordinator.report),
    reportHash: toHex(sha256(fromHex(coordinator.report))),
    vek: lower(coordinator.vek),
    intermediate: lower(coordinator.intermediate),
    rootFingerprint: lower(coordinator.rootFingerprint),
    identity: {
      service: identity.service,
      requestKey: lower(identity.requestKey),
      publishers: [...identity.publishers],
    },
    nonce: lower(coordinator.nonce),
    fetchedAt: coordinator.fetchedAt,
    expiresAt: coordinator.expiresAt,
  }
}

function lower(hex: Hex): Hex {
  if (typeof hex !== 'string') throw new ServiceError('receipt_invalid', 'expected a hex string')
  return hex.toLowerCase() as Hex
}

/** The RFC 8785 bytes of a receipt: what is pinned, and what the CID names. */
export function receiptBytes(receipt: AttestationReceiptV1): Uint8Array {
  return new TextEncoder().encode(canonicalJson(receipt))
}
