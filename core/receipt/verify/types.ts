import type { Hex, UnixSeconds } from '../../bytes/index.js'
import type { EntropyProvenance, VerifyBeacon } from '../../entropy/index.js'
import type { ErrorCode, Facts } from '../../errors/index.js'
import type { EnclaveBuild } from '../../measurements/index.js'
import type { ReleaseEvidence, ReleaseInForce, VerifiedLists } from '../../releases/index.js'
import type { QuoteVerdict } from '../../tdx/index.js'
import type { SnpVerdict } from '../../snp/index.js'
import type { AnyReceipt, ReceiptKind } from '../AnyReceipt.js'
import type { TrustAnchors } from '../anchors/TrustAnchors.js'

/** `AttestationPublished` as the caller read it from a node that it trusts. This code cannot check the chain itself. */
export interface PublishedEvent {
  chainId: number
  contract: Hex
  wallet: Hex
  txHash: Hex
  ipfsCid: string
  /** The publishing transaction. */
  transactionHash: Hex
  blockNumber: number
  blockTimestamp: UnixSeconds
  confirmations: number
}

/** What is to be checked. Everything here is hostile. */
export interface ReceiptEvidence {
  receipt: Uint8Array
  /** The CID by which the receipt was requested, if any. */
  cid?: string | undefined
  /** The bytes named by `signer.collateralCid`. */
  collateral?: Uint8Array | undefined
  /** Every event that the expected contracts emitted for this wallet and transaction (or birth). */
  events?: readonly PublishedEvent[] | undefined
  /** Set where the caller chose to search from this block on only: an earlier event would not have been seen. */
  searchedFrom?: number | undefined
  /** Which lists of builds were announced and withdrawn, and the lists. */
  releases?: ReleaseEvidence | undefined
  /** What opens a message receipt, as text or parsed from JSON: its content, signature and salt. It is never published. */
  opening?: unknown
  /** The same about the birth that a signing receipt names. */
  birth?: ReceiptEvidence | undefined
  /**
   * Set when somebody recorded CID, events and lists of builds, and no node was asked. A step that relies on
   * such a record is reported as skipped, never as passed.
   */
  recorded?: true
  /** Why a member is missing, where a source failed: which one, and what it said. For people. */
  missing?: Partial<Record<'collateral' | 'events' | 'releases' | 'birth', string>>
}

export interface VerifyReceiptOptions {
  anchors: TrustAnchors
  /** Judge quote and report as of this second instead of the block's time. The birth keeps its own. */
  at?: UnixSeconds | undefined
  /** Today, if known: a receipt from the future is then refused. */
  now?: UnixSeconds | undefined
  /** AMD's lists of revoked certificates (DER), in force at `now`: the coordinator's chain must not be on them. */
  amdCrls?: readonly Uint8Array[] | undefined
  /** Steps to leave out. They are reported as skipped, and the verdict names them. */
  skip?: readonly StepName[] | undefined
  /** Blocks on top of and including the event's. 1 when left out. */
  minConfirmations?: number | undefined
  /** Needed for entropy from a beacon: `verifyBeacon` of `@perigee/core/entropyBeacon`. */
  verifyBeacon?: VerifyBeacon | undefined
  /** Also return the exact bytes that were hashed. */
  explain?: boolean | undefined
  /** Verdicts on births by CID, so that many receipts of one wallet verify its birth once. For one run and one node. */
  births?: Map<string, Promise<ReceiptVerdict>> | undefined
  /** Lists of builds, so that many receipts verify each list once. */
  lists?: VerifiedLists
}

/** The steps of a transaction's receipt, in order. */
export const stepNames = [
  'canonical_bytes',
  'cid',
  'transaction_digest',
  'signature',
  'public_key',
  'entropy_witness',
  'coordinator_report',
  'coordinator_binding',
  'statement',
  'passkey',
  'collateral_cid',
  'quote',
  'report_data',
  'policy',
  'release_list',
  'measurements',
  'times',
  'onchain_event',
  'birth',
  'trust_anchors',
] as const
/** `opening` is a step of message receipts only. */
export type StepName = (typeof stepNames)[number] | 'opening'

/** Bytes, and what they hash to. */
export interface HashedBytes {
  what: string
  algorithm: 'sha-256' | 'sha-512' | 'keccak-256'
  bytes: Hex
  digest: Hex
}

export interface StepResult {
  step: StepName
  title: string
  status: 'pass' | 'fail' | 'skip'
  /** What was compared with what, or why it failed. For people. */
  detail: string
  code?: ErrorCode
  facts?: Facts
  hashed?: HashedBytes[]
  /** Skipped because the reader asked for that: the receipt is not verified then. */
  asked?: true
  /** Skipped because it holds only as recorded. */
  recorded?: true
  /** Failed only because evidence is missing. */
  unchecked?: true
}

/** What a reader wants to know beside pass and fail: the key service, where the key was made, the list of builds. */
export interface Explanation {
  keeper: string
  /** Of the key that signed; absent from the verdict on a birth. */
  birth?: string
  list: string
  /** Both times, and which of them counted. */
  time: string
}

export interface ReceiptVerdict {
  /** No step failed. `skipped` names what this does not cover. */
  verified: boolean
  /** True when what was verified includes simulated hardware; null when the receipt could not be read. */
  simulated: boolean | null
  failed: StepName[]
  /** Those that failed only because evidence is missing: a source was down or limited. They say nothing against the receipt. */
  unchecked: StepName[]
  skipped: StepName[]
  /** CID of the bytes that were checked. */
  cid: string
  /** What the receipt is about; null when it could not be read. */
  kind: ReceiptKind | null
  /** Of a birth: `birthHash`; of a message: its commitment. */
  txHash: Hex | null
  wallet: Hex | null
  chainId: number | null
  /** When the enclave signed, or made the key, by its own clock, which its host can set. */
  signedAt: UnixSeconds | null
  /** Of the first event that names this receipt: the only time that somebody else saw. Null without an event. */
  blockTime: UnixSeconds | null
  /** The second as of which quote and report were judged: the caller's, or the block's, or else the receipt's `verifiedAt`. */
  asOf: UnixSeconds | null
  steps: StepResult[]
  /** With `explain`: in plain words. */
  explanation?: Explanation
}

/** What the steps share: what was given, and what earlier steps proved. */
export interface Work {
  evidence: ReceiptEvidence
  /** Of the receipt's bytes, once a step asked for it: `cidOfReceipt`. */
  cid?: string
  options: VerifyReceiptOptions
  receipt?: AnyReceipt
  quote?: QuoteVerdict
  coordinator?: SnpVerdict
  /** The coordinator's, once its report was seen to bind it. */
  identity?: AnyReceipt['coordinator']['identity']
  entropy?: EntropyProvenance
  releaseInForce?: ReleaseInForce
  enclaveBuild?: EnclaveBuild
  hashed: HashedBytes[]
  /** Verifies another receipt, by the steps of its own kind. */
  verify(evidence: ReceiptEvidence, options: VerifyReceiptOptions): Promise<ReceiptVerdict>
}

/** One named check. `run` says what it proved or throws a ServiceError. */
export interface Step {
  name: StepName
  title: string
  /** Absent from a step that needs nothing from outside: it has no reason to be skipped. */
  skippable?: true
  /** Why there is nothing to check, where that is so. The step is then reported as skipped, never as passed. */
  absent?(work: Work): string | undefined
  /** True where the step rests on what the caller asked for, or on what the chain says. */
  isRecordable?(work: Work): boolean
  run(work: Work): string | Promise<string>
}
