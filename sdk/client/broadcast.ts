import { keccak256, type PublicClient } from 'viem'
import { ServiceError } from '../errors/index.js'
import type { Hex } from '../types.js'

/**
 * Sends the signed bytes and returns the hash the chain knows them by. A node that refuses them because it already has
 * them (an earlier answer was lost) counts as success.
 */
export async function broadcast(chain: PublicClient, signed: Hex, attestationSlug: string): Promise<Hex> {
  try {
    return await chain.sendRawTransaction({ serializedTransaction: signed })
  } catch (cause) {
    const hash = keccak256(signed)
    const there = await chain.getTransaction({ hash }).catch(() => null)
    if (there) return hash
    const words = String((cause as Error)?.message)
    const code = /insufficient funds/i.test(words)
      ? 'insufficient_funds'
      : /intrinsic gas|gas too low/i.test(words)
        ? 'gas_too_low'
        : 'broadcast_failed'
    const { details, shortMessage } = cause as { details?: string; shortMessage?: string }
    throw new ServiceError(code, `The chain refused the transaction: ${details || shortMessage || words}`, {
      cause,
      facts: { txHash: hash, attestationSlug },
    })
  }
}
