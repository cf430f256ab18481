import { isAddress, isHex, keccak256, parseEther, parseSignature, serializeTransaction, type PublicClient } from 'viem'
import { ServiceError, toServiceError } from '../../errors/ServiceError.js'
import type { Hex, SignRequest, TxMetadata } from '../../types.js'

/** Reads nonce and fees (and gas, when asked) in parallel and puts the transaction together. */
export async function buildTransaction(
  chain: PublicClient,
  chainId: number,
  from: Hex,
  request: SignRequest,
): Promise<TxMetadata> {
  const { to, data = '0x', gas = 21_000n } = request
  if (!isAddress(to)) throw new ServiceError('transaction_invalid', 'to is not an address.')
  if (!isHex(data) || data.length % 2) throw new ServiceError('transaction_invalid', 'data is not whole bytes of hex.')
  const value = parseValue(request.value)
  try {
    const [nonce, fees, limit] = await Promise.all([
      chain.getTransactionCount({ address: from, blockTag: 'pending' }),
      chain.estimateFeesPerGas(),
      gas === 'estimate' ? chain.estimateGas({ account: from, to, value, data }) : gas,
    ])
    const { maxFeePerGas, maxPriorityFeePerGas } = fees
    return toMetadata({ chainId, nonce, to, value, data, gas: limit, maxFeePerGas, maxPriorityFeePerGas })
  } catch (error) {
    throw toServiceError(error, 'rpc_error')
  }
}

type Amount = 'value' | 'gas' | 'maxFeePerGas' | 'maxPriorityFeePerGas'

/** The transaction as the service takes it: amounts are decimal strings. */
export function toMetadata(tx: Omit<TxMetadata, Amount> & Record<Amount, bigint>): TxMetadata {
  return {
    ...tx,
    value: String(tx.value),
    gas: String(tx.gas),
    maxFeePerGas: String(tx.maxFeePerGas),
    maxPriorityFeePerGas: String(tx.maxPriorityFeePerGas),
  }
}

/** A bigint is wei; a string is ether. What would be rounded or is negative is refused. */
function parseValue(value: bigint | string = 0n): bigint {
  if (typeof value === 'bigint' && value >= 0n) return value
  if (typeof value === 'string' && /^(?:\d+(?:\.\d{0,18})?|\.\d{1,18})$/.test(value)) return parseEther(value)
  throw new ServiceError('transaction_invalid', 'value is neither wei as a bigint nor ether as a decimal string.')
}

/** The EIP-1559 bytes: unsigned, or with the signature spliced in. */
export function serialize(tx: TxMetadata, signature?: Hex): Hex {
  const { chainId, nonce, to, data } = tx // and nothing else that it may hold
  return serializeTransaction(
    {
      type: 'eip1559',
      chainId,
      nonce,
      to,
      data,
      value: BigInt(tx.value),
      gas: BigInt(tx.gas),
      maxFeePerGas: BigInt(tx.maxFeePerGas),
      maxPriorityFeePerGas: BigInt(tx.maxPriorityFeePerGas),
    },
    signature && parseSignature(signature),
  )
}

/** keccak256 of the unsigned transaction: what is signed. */
export function digestOf(tx: TxMetadata): Hex {
  return keccak256(serialize(tx))
}
