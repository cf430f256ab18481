import { z } from 'zod'
import type { Hex } from '../bytes/index.js'
import { parseSchema } from '../errors/index.js'

const uint256Max = (1n << 256n) - 1n
const decimal = z
  .string()
  .max(78)
  .regex(/^(?:0|[1-9][0-9]*)$/, { error: 'a decimal string without sign or leading zeros', abort: true })
  .refine((text) => BigInt(text) <= uint256Max, 'at most 2^256 - 1')
const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'an address: 0x and 40 hex digits')
const calldata = z
  .string()
  .max(2 + 2 * 24_576)
  .regex(/^0x(?:[0-9a-fA-F]{2})*$/, 'hex with 0x and whole bytes')

/** Schema of `txMetadata`: exactly the fields of an EIP-1559 transaction, amounts as decimal strings. */
export const txMetadataSchema = z.strictObject({
  chainId: z.int().positive(),
  nonce: z.int().nonnegative(),
  to: address,
  value: decimal,
  data: calldata,
  gas: decimal,
  maxFeePerGas: decimal,
  maxPriorityFeePerGas: decimal,
})

/** An unsigned EIP-1559 transaction as it is sent: amounts are decimal strings. */
export interface TxMetadata {
  chainId: number
  nonce: number
  to: Hex
  value: string
  data: Hex
  gas: string
  maxFeePerGas: string
  maxPriorityFeePerGas: string
}

/** Takes anything; returns transaction fields or throws `transaction_invalid` naming every wrong field. */
export function parseTxMetadata(input: unknown): TxMetadata {
  return parseSchema(txMetadataSchema, input, 'transaction_invalid', 'txMetadata')
}
