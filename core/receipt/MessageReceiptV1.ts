import type { Authorisation } from '../authorisation/index.js'
import type { Hex } from '../bytes/index.js'
import type { MessageScheme } from '../message/index.js'
import type { AttestationReceiptV1 } from './AttestationReceiptV1.js'
import type { ReceiptParts } from './ReceiptParts.js'

/**
 * The public document about one signed message. It shows neither the message nor the signature, because both together are
 * a credential: a sign-in, a permit. `docs/receipt-v1.md` describes every field.
 */
export interface MessageReceiptV1 extends ReceiptParts {
  version: 'perigee-message/1'
  message: {
    scheme: MessageScheme
    /** The wallet. */
    from: Hex
    /** Commits to the content: what the statement and the passkey cover. */
    requestHash: Hex
    /** Commits to content and signature. The event names it where a transaction has its hash. */
    commitment: Hex
  }
  signer: AttestationReceiptV1['signer']
  /** Who asked for this signature. REPORTDATA binds its hash. */
  authorisation: Authorisation
}
