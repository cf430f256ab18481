import type { DataSource } from 'typeorm'
import type { Facts, Hex } from '@perigee/core'
import type { Chain } from '../../clients/chain/createChain.js'
import type { Rpcs } from '../../clients/chain/rpc/createRpcs.js'

/** Kinds of mismatch. Scripts match on them: add new ones, never rename. */
export type MismatchKind =
  | 'wallet_without_birth'
  | 'wrong_cid'
  | 'receipt_differs'
  | 'missing_pin'
  | 'wrong_block'
  | 'too_few_pins'
  | 'missing_event'
  | 'wrong_block_number'
  | 'wrong_block_hash'
  | 'outdated_collateral'
  | 'unknown_receipt'
  | 'wrong_cid_in_event'
  | 'duplicate_event'
  | 'event_elsewhere'
  | 'failed_but_published'
  | 'foreign_publisher'
  | 'unrecorded_publication'
  | 'publisher_nonce_unknown'
  | 'publisher_nonce_gap'
  | 'publisher_nonce_unmined'
  | 'mined_without_receipt'
  | 'transaction_without_receipt'

export interface Mismatch {
  kind: MismatchKind
  /** Slug, CID, address or transaction. */
  subject: string
  message: string
  facts: Facts
}

/** Collects what a reconciliation finds. What could not be checked is listed apart: it is neither right nor wrong. */
export function createReport() {
  const mismatches: Mismatch[] = []
  const unchecked = new Map<string, string>()
  const checked: Record<string, number> = {}
  return {
    mismatches,
    checked,
    unchecked,
    mismatch(kind: MismatchKind, subject: string, message: string, facts: Facts = {}): void {
      mismatches.push({ kind, subject, message, facts })
    },
    /** Keeps the first reason for each subject. */
    couldNotCheck(what: string, why: string): void {
      if (!unchecked.has(what)) unchecked.set(what, why)
    },
    count(what: string, by = 1): void {
      checked[what] = (checked[what] ?? 0) + by
    },
  }
}

export type Report = ReturnType<typeof createReport>

/** What the parts of a reconciliation compare. */
export interface Reconciliation {
  database: DataSource
  /** The publishing chain. */
  chain: Chain
  /** RPCs of the chains that wallets sign for. */
  rpcsOf: ReadonlyMap<number, Rpcs>
  /** Keys that may publish for us. */
  publishers: readonly Hex[]
  checkBlock: (cid: string, subject: string) => Promise<void>
  report: Report
}
