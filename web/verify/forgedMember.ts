import type { ReceiptKind } from '@perigee/core/receipt'

/** What “Try it with a forged …” changes, in a receipt of each kind. */
export const forgedMember: Record<ReceiptKind, string> = {
  transaction: 'amount',
  birth: 'date',
  message: 'commitment',
}
