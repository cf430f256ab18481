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

/** What this enclave is willing to sign. Its hash is in every signing quote, so a laxer enclave cannot hide. */
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
}

export function policyHash(policy: SigningPolicy): Hex {
  return toHex(createHash('sha256').update(canonicalJson(policy)).digest())
}

/** Fields that only other transaction types have. An EIP-7702 authorisation, above all, would give the account away. */
const foreignFields = [
  'accessList',
  'authorizationList',
  'blobVersionedHashes',
  'blobs',
  'gasPrice',
  'maxFeePerBlobGas',
]

/** Parses a transaction and refuses any that the policy does not allow, or whose digest is not the one asked for. */
export function judgeTransaction(input: Record<string, unknown>, digest: Hex, policy: SigningPolicy): TxMetadata {
  const { type = 'eip1559', ...fields } = input
  if (type !== 'eip1559' || foreignFields.some((field) => field in fields)) {
    throw new ServiceError('transaction_type_unsupported', 'only EIP-1559 transactions are signed')
  }
  const tx = parseTxMetadata(fields)
  verifyDigest(tx, digest) // we sign what we built ourselves; the caller's digest only has to agree
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
