import type { Hex } from '../bytes/index.js'
import type { AttestationReceiptV1 } from '../receipt/AttestationReceiptV1.js'

export { attestationPublished } from './attestationPublished.js'

export const proofStatuses = ['pending_pin', 'pending_onchain', 'complete', 'pin_failed', 'onchain_failed'] as const
/** State of a proof. The last three change only when an operator acts. */
export type ProofStatus = (typeof proofStatuses)[number]

/** True when clients can stop polling. An operator may still repair a failed proof. */
export function isTerminal(status: ProofStatus): boolean {
  return status === 'complete' || status === 'pin_failed' || status === 'onchain_failed'
}

/** Body of `GET /proof/:slug`. */
export interface ProofPayload {
  slug: string
  txHash: Hex
  chainId: number
  walletAddress: Hex
  status: ProofStatus
  ipfsCid: string | null
  ipfsUrl: string | null
  onchainTxHash: Hex | null
  onchainBlockNumber: number | null
  kmsQuoteVerified: boolean
  receipt: AttestationReceiptV1 | null
  createdAt: string
}
