import type { Hex } from '@perigee/core'
import type { ReceiptKind } from '@perigee/core/receipt'
import type { Publication } from '../entities/Publication.js'

/** The names of a proof that is recorded now and published from then on. */
export interface NewProof {
  slug: string
  walletId: string
  txHash: Hex
  chainId: number
  createdAt: string
}

/** The intent to publish a receipt, as it is first recorded. */
export function newPublication(kind: ReceiptKind, proof: NewProof): Partial<Publication> {
  return { ...proof, kind, status: 'pending_pin', statusSince: proof.createdAt }
}
