import type { Authorisation } from '../authorisation/index.js'
import type { Hex, UnixSeconds } from '../bytes/index.js'
import type { SigningPolicy } from '../policy/index.js'
import type { TxMetadata } from '../transaction/index.js'
import type { ReceiptParts, SignerEvidence } from './ReceiptParts.js'

/** The public document about one signature. `docs/receipt-v1.md` describes every field. */
export interface AttestationReceiptV1 extends ReceiptParts {
  version: 'perigee-receipt/1'
  transaction: TxMetadata & { type: 'eip1559'; from: Hex; digest: Hex; txHash: Hex; signature: Hex }
  signer: SignerEvidence & {
    keyId: string
    publicKey: Hex
    address: Hex
    /** CID of the receipt of the key's creation. */
    birthCid: string
    /** What the enclave signs. The quote binds its hash, and the transaction is within it. */
    policy: SigningPolicy
    signedAt: UnixSeconds
  }
  /** Who asked for this signature. REPORTDATA binds its hash. */
  authorisation: Authorisation
}
