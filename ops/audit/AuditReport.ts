import type { Facts } from '@perigee/core'

/** Kinds of disagreement. Scripts match them: add, never rename. */
export type Disagreement =
  | 'signature_without_receipt'
  | 'wrong_cid'
  | 'receipt_differs'
  | 'missing_pin'
  | 'wrong_block'
  | 'too_few_pins'
  | 'missing_event'
  | 'wrong_block_number'
  | 'wrong_block_hash'
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

export interface Finding {
  kind: Disagreement
  /** Slug, CID, address or transaction. */
  subject: string
  message: string
  facts: Facts
}

/** What an audit has found so far. What could not be looked at is kept apart: it is neither well nor wrong. */
export function createAuditReport() {
  const findings: Finding[] = []
  const unchecked = new Map<string, string>()
  const checked: Record<string, number> = {}
  return {
    findings,
    checked,
    unchecked,
    disagree(kind: Disagreement, subject: string, message: string, facts: Facts = {}): void {
      findings.push({ kind, subject, message, facts })
    },
    /** Once for each thing. */
    couldNotCheck(what: string, why: string): void {
      if (!unchecked.has(what)) unchecked.set(what, why)
    },
    count(what: string, by = 1): void {
      checked[what] = (checked[what] ?? 0) + by
    },
  }
}

export type AuditReport = ReturnType<typeof createAuditReport>
