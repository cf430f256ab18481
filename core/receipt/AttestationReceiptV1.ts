import type { Authorisation } from '../authorisation/index.js'
import type { Hex, UnixSeconds } from '../bytes/index.js'
import type { RuntimeEvent } from '../measurements/index.js'
import type { EntropySample } from '../entropy/index.js'
import type { SigningPolicy } from '../policy/index.js'
import type { TxMetadata } from '../transaction/index.js'

/** The public document about one signature. `docs/receipt-v1.md` describes every field. */
export interface AttestationReceiptV1 {
  version: 'perigee-receipt/1'
  /** Link to the description of this format. */
  spec: string
  issuedAt: string
  /** True when any hardware in this receipt was simulated: it then proves nothing about hardware. */
  simulated: boolean
  transaction: TxMetadata & { type: 'eip1559'; from: Hex; digest: Hex; txHash: Hex; signature: Hex }
  signer: {
    kind: 'tdx-enclave'
    platform: string
    keyId: string
    publicKey: Hex
    address: Hex
    nonce: Hex
    /** What the enclave signs. The quote binds its hash, and the transaction is within it. */
    policy: SigningPolicy
    signedAt: UnixSeconds
    quote: Hex
    /** What was measured into RTMR3 since the machine started, so that it can be replayed. */
    runtimeEvents: RuntimeEvent[]
    collateralCid: string
    /** SHA-256 of the DER of the root that our own check used. A verifier uses its own. */
    rootFingerprint: Hex
    verifiedAt: UnixSeconds
    tcbStatus: string
    advisoryIds: string[]
  }
  coordinator: {
    kind: 'sev-snp'
    report: Hex
    reportHash: Hex
    /** DER certificates: the chip's key and its intermediate. The verifier has the root. */
    vek: Hex
    intermediate: Hex
    rootFingerprint: Hex
    /** What REPORT_DATA binds: SHA-512 over `perigee.coordinator.v1`, the canonical identity, nonce and expiry. */
    identity: { service: string; requestKey: Hex; publishers: Hex[] }
    nonce: Hex
    fetchedAt: UnixSeconds
    /** Bound too: nothing that the coordinator states is believed after this second by means of this report. */
    expiresAt: UnixSeconds
  }
  /** Who asked for this signature. REPORTDATA binds its hash. */
  authorisation: Authorisation
  entropy: EntropySample
  verification: {
    instructions: string
    /** The trust anchors our own check used, for convenience. A verifier uses its own. */
    trustAnchorsCid: string
    /** Where the event that names this receipt will appear: not always the chain of the transaction. */
    publication: { chainId: number; contract: Hex }
  }
}
