import { createHash } from 'node:crypto'
import {
  canonicalJson,
  parseTxMetadata,
  ServiceError,
  toHex,
  verifyDigest,
  type Hex,
  type TxMetadata,
} from '@perigee/core'

/** What this enclave will sign. Every signing quote includes its hash, so a laxer enclave is detected. */
export interface SigningPolicy {
  version: 1
  transactionTypes: ['eip1559']
  /** Ascending. */
  chainIds: number[]
  /** Wei, decimal: per unit of gas, for the whole transaction, and for the value sent. */
  maxFeePerGas: string
  maxFee: string
  maxValue: string
  entropy: { minimum: string; maxAgeSeconds: number }
  /** An attested coordinator's statement for every request, and an owner's approval where the wallet has owners. */
  authorisation: 'statement-and-owners'
}

export function policyHash(policy: SigningPolicy): Hex {
  return toHex(createHash('sha256').update(canonicalJson(policy)).digest())
}

/** Fields of other transaction types. An EIP-7702 authorisation would hand over the whole account. */
const foreignFields = [
  'accessList',
  'authorizationList',
  'blobVersionedHashes',
  'blobs',
  'gasPrice',
  'maxFeePerBlobGas',
]

/** Parses a transaction and refuses any that the policy does not allow, or whose digest is not the one asked for. */
export function checkTransaction(input: Record<string, unknown>, digest: Hex, policy: SigningPolicy): TxMetadata {
  const { type = 'eip1559', ...fields } = input
  if (type !== 'eip1559' || foreignFields.some((field) => field in fields)) {
    throw new ServiceError('transaction_type_unsupported', 'only EIP-1559 transactions are signed')
  }
  const tx = parseTxMetadata(fields)
  verifyDigest(tx, digest) // we sign the digest we computed; the caller's only has to match
  const { chainId, maxFeePerGas } = tx
  if (!policy.chainIds.includes(chainId)) {
    throw new ServiceError('chain_not_allowed', 'this enclave does not sign for that chain', { chainId })
  }
  const fee = BigInt(tx.gas) * BigInt(maxFeePerGas)
  if (BigInt(maxFeePerGas) > BigInt(policy.maxFeePerGas) || fee > BigInt(policy.maxFee)) {
    throw new ServiceError('fee_out_of_range', 'the fee is above what this enclave signs', { maxFee: policy.maxFee })
  }
  if (BigInt(tx.value) > BigInt(policy.maxValue)) {
    throw new ServiceError('value_out_of_range', 'the value is above what this enclave signs', {
      maxValue: policy.maxValue,
    })
  }
  return tx
}
