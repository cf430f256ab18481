import type { Hex, UnixSeconds } from '../../bytes/index.js'
import type { ReceiptKind } from '../AnyReceipt.js'
import type { VerifyReceiptOptions } from '../verify/types.js'
import type { Contradiction } from './createContradictions.js'
import type { NonceCoverage } from './nonceCoverage.js'

export interface CheckWalletOptions extends Pick<
  VerifyReceiptOptions,
  'anchors' | 'minConfirmations' | 'verifyBeacon' | 'amdCrls'
> {
  /** Replaces the anchors' contracts. */
  contract?: Hex | undefined
  /** Events before it are not searched, so nothing is known to be complete. */
  fromBlock?: number | undefined
  /** Today: receipts from the future are refused. */
  now: UnixSeconds
  /** Rows of an earlier run by `WalletRow.key`: they are not verified again. */
  finished?: ReadonlyMap<string, WalletRow>
  /** Called with each row in the order of the chain. */
  onRow?: (row: WalletRow) => void | Promise<void>
  onProgress?: (line: string) => void
}

/** What is known about one receipt that the chain names for the wallet. */
export interface WalletRow {
  /** Hash of all that the row depends on: the receipt, the places of its events and those of the wallet's births. */
  key: Hex
  cid: string
  /** What the event says: the transaction's, or `birthHash`. */
  txHash: Hex
  kind: ReceiptKind
  /** Of the first event that names it. */
  blockNumber: number
  verified: boolean
  /** The first step that failed, or why the receipt could not be read, for people. */
  failure: string | null
  simulated: boolean | null
  /** From here on null when the receipt could not be read. Chain of the transaction. */
  chainId: number | null
  nonce: number | null
  sample: Hex | null
  /** Seconds between the enclave's clock and the block of the event. */
  delay: number | null
  /** Whether the chain has included the transaction. Null: a birth, or a transaction of a chain whose node was not asked. */
  included: boolean | null
}

export type FindingKind =
  | 'birth_missing'
  | 'birth_twice'
  | 'receipt_invalid'
  | 'nonce_without_receipt'
  | 'receipt_without_transaction'
  | 'late'
  | 'not_asked'
  | 'not_searched'
  | Contradiction['kind']

export interface Finding {
  kind: FindingKind
  /** A fault decides the verdict. The rest a reader should know, but it can be right. */
  isFault: boolean
  /** A CID, a nonce range, or the wallet. */
  subject: string
  detail: string
}

export interface WalletVerdict {
  /** No fault was found. `findings` say what this does not cover. */
  verified: boolean
  /** True when any receipt includes simulated hardware; null without a receipt that could be read. */
  simulated: boolean | null
  wallet: Hex
  /** Of the node, and so of events and nonces. */
  chainId: number
  /** Those whose events were searched. */
  contracts: Hex[]
  fromBlock: number
  toBlock: number
  births: number
  receipts: number
  verifiedReceipts: number
  /** How many transactions the chain has included from this wallet at `toBlock`. */
  transactions: number
  nonces: { kind: NonceCoverage['kind']; missing: number; ranges: string }
  /** The first thousand. */
  findings: Finding[]
  moreFindings: number
}
