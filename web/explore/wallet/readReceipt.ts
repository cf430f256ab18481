import { ServiceError } from '@perigee/core/errors'
import { parseAnyReceipt, type AnyReceipt, type AttestationReceiptV1 } from '@perigee/core/receipt'
import type { PublishedLog } from '@perigee/core/receipt/gather'
import { parseTxMetadata, transactionHash, verifySigner, type TxMetadata } from '@perigee/core/transaction'
import type { WebConfig } from '../../config/WebConfig.js'
import { createRpc, fetchFromIpfs } from '../../verify/createSources.js'

export interface ReadTransaction {
  transaction: TxMetadata
  /** Whether the configured chain has included it; null for a transaction of another chain. */
  mined: boolean | null
}

/** The receipt of a message shows neither its content nor its signature. */
export interface ReadMessage {
  message: { isTyped: boolean }
}

/**
 * A published receipt, fetched from IPFS. Hash and signature of a transaction are computed again, so a receipt cannot
 * claim a nonce that its transaction does not have. The receipt's hardware evidence is not checked here.
 */
export async function readReceipt(config: WebConfig, event: PublishedLog): Promise<ReadTransaction | ReadMessage> {
  const receipt = receiptOf(await fetchFromIpfs(config, event.ipfsCid))
  if (receipt.version === 'perigee-receipt/1') return readTransaction(config, event, receipt.transaction)
  const isSame =
    receipt.version === 'perigee-message/1' &&
    receipt.message.commitment === event.txHash &&
    receipt.message.from === event.wallet
  if (!isSame) throw new ServiceError('claim_mismatch', 'The receipt is about something else than the event says.')
  return { message: { isTyped: receipt.message.scheme === 'eip712' } }
}

async function readTransaction(
  config: WebConfig,
  event: PublishedLog,
  { type: _type, from: _from, digest: _digest, txHash: _hash, signature, ...rest }: AttestationReceiptV1['transaction'],
): Promise<ReadTransaction> {
  const transaction = parseTxMetadata(rest)
  if (transactionHash(transaction, signature) !== event.txHash) {
    throw new ServiceError('claim_mismatch', 'The receipt is about another transaction than the event says.')
  }
  await verifySigner(transaction, signature, event.wallet)
  if (transaction.chainId !== config.chainId) return { transaction, mined: null }
  // A replaced transaction has the nonce and never happened: only an included one accounts for it.
  const known = await createRpc(config)('eth_getTransactionByHash', [event.txHash])
  const { blockNumber } = Object(known) as { blockNumber?: unknown }
  return { transaction, mined: typeof blockNumber === 'string' }
}

// A bare transaction is not a receipt: without a quote it proves nothing about who signed.
function receiptOf(bytes: Uint8Array): AnyReceipt {
  try {
    return parseAnyReceipt(bytes)
  } catch (cause) {
    throw new ServiceError('parse_failed', 'What the event names is not a receipt.', {}, cause)
  }
}
