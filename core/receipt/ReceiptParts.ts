import type { Hex, UnixSeconds } from '../bytes/index.js'
import type { EntropySample } from '../entropy/index.js'
import type { RuntimeEvent } from '../measurements/index.js'

/** What every receipt has, whatever it is about. */
export interface ReceiptParts {
  /** Link to the description of this format. */
  spec: string
  issuedAt: string
  /** True when any hardware in this receipt was simulated: it then proves nothing about hardware. */
  simulated: boolean
  coordinator: CoordinatorPart
  entropy: EntropySample
  verification: VerificationPart
}

/** The enclave's quote, and what is needed to verify it. */
export interface SignerEvidence {
  kind: 'tdx-enclave'
  platform: string
  nonce: Hex
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

export interface CoordinatorPart {
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

export interface VerificationPart {
  instructions: string
  /** The trust anchors our own check used, for convenience. A verifier uses its own. */
  trustAnchorsCid: string
  /** Where the event that names this receipt will appear: not always the chain of the transaction. */
  publication: { chainId: number; contract: Hex }
}
