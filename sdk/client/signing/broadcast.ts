import type { PublicClient } from 'viem'
import { ServiceError } from '../../errors/ServiceError.js'
import type { Hex } from '../../types.js'
import { warnSigned } from './warnSigned.js'

/** Returns the transaction's hash. A node that refuses it because it has it (an answer was lost) counts as success. */
export async function broadcast(
  chain: PublicClient,
  signed: Hex,
  facts: { txHash: Hex; attestationSlug: string; nonce: number },
): Promise<Hex> {
  try {
    return await chain.sendRawTransaction({ serializedTransaction: signed })
  } catch (cause) {
    const found = await chain.getTransaction({ hash: facts.txHash }).catch(() => null)
    if (found) return facts.txHash
    const { details, shortMessage, message } = cause as { details?: string; shortMessage?: string; message?: string }
    const reason = String(details || shortMessage || message).replace(/\.$/, '')
    throw new ServiceError(codeFor(String(message)), `The broadcast failed: ${reason}. ${warnSigned(facts.nonce)}`, {
      cause,
      facts,
    })
  }
}

function codeFor(message: string): string {
  if (/insufficient funds/i.test(message)) return 'insufficient_funds'
  return /intrinsic gas|gas too low/i.test(message) ? 'gas_too_low' : 'broadcast_failed'
}
