import { ServiceError } from '@perigee/core/errors'
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
  if (receipt.version !== 'perigee-message/1') return readTransaction(config, event, receipt.transaction)
  const { scheme, from, commitment } = receipt.message
  if (commitment !== event.txHash || from !== event.wallet) {
    throw new ServiceError('claim_mismatch', 'The receipt is about another message than the event says.')
  }
  return { message: { isTyped: scheme === 'eip712' } }
}

async function readTransaction(
  config: WebConfig,
  event: PublishedLog,
  { type: _type, from: _from, digest: _digest, txHash: _hash, signature, ...rest }: Record<string, unknown>,
): Promise<ReadTransaction> {
  const transaction = parseTxMetadata(rest)
  if (transactionHash(transaction, String(signature)) !== event.txHash) {
    throw new ServiceError('claim_mismatch', 'The receipt is about another transaction than the event says.')
  }
  await verifySigner(transaction, String(signature), event.wallet)
  if (transaction.chainId !== config.chainId) return { transaction, mined: null }
  // A replaced transaction has the nonce and never happened: only an included one accounts for it.
  const known = await createRpc(config)('eth_getTransactionByHash', [event.txHash])
  const { blockNumber } = Object(known) as { blockNumber?: unknown }
  return { transaction, mined: typeof blockNumber === 'string' }
}

interface Read {
  version: unknown
  transaction: Record<string, unknown>
  message: Record<string, unknown>
}

function receiptOf(bytes: Uint8Array): Read {
  try {
    const value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as Read
    return { version: value.version, transaction: { ...value.transaction }, message: { ...value.message } }
  } catch (cause) {
    throw new ServiceError('parse_failed', 'What the event names is not a receipt.', {}, cause)
  }
}
