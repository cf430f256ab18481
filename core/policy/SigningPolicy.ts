import { sha256 } from '@noble/hashes/sha2'
import { z } from 'zod'
import { canonicalJson, toHex, type Hex } from '../bytes/index.js'
import { provenanceLevels, type EntropyProvenance } from '../entropy/index.js'
import { ServiceError } from '../errors/index.js'
import type { TxMetadata } from '../transaction/index.js'

/** What an enclave signs. Receipts show it and every signing quote binds its hash, so a laxer enclave is detected. */
export interface SigningPolicy {
  version: 1
  transactionTypes: ['eip1559']
  /** Messages have no fee and no value of their own: the limits below are about transactions. */
  messageSchemes: ['eip191', 'eip712']
  /** Ascending. Of transactions, and of the domain of typed data. */
  chainIds: number[]
  /** Wei, decimal: per unit of gas, for the whole transaction, and for the value sent. */
  maxFeePerGas: string
  maxFee: string
  maxValue: string
  entropy: { minimum: EntropyProvenance; maxAgeSeconds: number }
  /** An attested coordinator's statement for every request, and an owner's approval where the wallet has owners. */
  authorisation: 'statement-and-owners'
}

/** A whole number in its only spelling. */
export const decimal = z
  .string()
  .max(78)
  .regex(/^(?:0|[1-9][0-9]*)$/, 'a decimal string without sign or leading zeros')

export const signingPolicySchema = z.strictObject({
  version: z.literal(1),
  transactionTypes: z.tuple([z.literal('eip1559')]),
  messageSchemes: z.tuple([z.literal('eip191'), z.literal('eip712')]),
  chainIds: z
    .array(z.int().positive())
    .min(1)
    .max(1000)
    .refine((ids) => ids.every((id, i) => i === 0 || (ids[i - 1] ?? id) < id), 'ascending, each once'),
  maxFeePerGas: decimal,
  maxFee: decimal,
  maxValue: decimal,
  entropy: z.strictObject({ minimum: z.enum(provenanceLevels), maxAgeSeconds: z.int().positive() }),
  authorisation: z.literal('statement-and-owners'),
})

/** SHA-256 of the canonical policy: what signing quotes bind. */
export function policyHash(policy: SigningPolicy): Hex {
  return toHex(sha256(new TextEncoder().encode(canonicalJson(policy))))
}

/** Throws `chain_not_allowed`, `fee_out_of_range` or `value_out_of_range` for a transaction outside the policy. */
export function checkSigningPolicy(tx: TxMetadata, policy: SigningPolicy): void {
  const { chainId, maxFeePerGas } = tx
  checkChain(chainId, policy)
  const fee = BigInt(tx.gas) * BigInt(maxFeePerGas)
  if (BigInt(maxFeePerGas) > BigInt(policy.maxFeePerGas) || fee > BigInt(policy.maxFee)) {
    throw new ServiceError('fee_out_of_range', 'the fee is above what this enclave signs', { maxFee: policy.maxFee })
  }
  if (BigInt(tx.value) > BigInt(policy.maxValue)) {
    const { maxValue } = policy
    throw new ServiceError('value_out_of_range', 'the value is above what this enclave signs', { maxValue })
  }
}

/** Throws `chain_not_allowed` for typed data whose domain names another chain. Other messages (null) concern none. */
export function checkMessagePolicy({ chainId }: { chainId: number | null }, policy: SigningPolicy): void {
  if (chainId !== null) checkChain(chainId, policy)
}

function checkChain(chainId: number, policy: SigningPolicy): void {
  if (policy.chainIds.includes(chainId)) return
  throw new ServiceError('chain_not_allowed', 'this enclave does not sign for that chain', { chainId })
}
