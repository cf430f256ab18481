import type { Hex } from '../bytes/index.js'
import type { AuditAnchor } from './AuditAnchor.js'
import { auditHash, emptyLogHash, type AuditEntry } from './AuditEntry.js'

export interface AuditVerdict {
  /** Events that were checked. */
  events: number
  /** Hash of the last one. */
  head: Hex
  /** Anchors that the events agree with. */
  anchors: number
  /** The last event that an anchor vouches for: those after it could still be rewritten unnoticed. 0 without anchors. */
  anchoredUpTo: number
  /** What is wrong, with the sequence where it shows; empty when the log is whole. */
  faults: { sequence: number; fault: string }[]
}

/**
 * Recomputes the chain event by event, from its beginning or from the event after `after`, and compares it with the anchors.
 * The chain alone shows edited, removed, added and reordered events; only the anchors show that the whole was rewritten,
 * or cut off at the end. A check that starts later believes what its first event says came before it.
 */
export function createAuditCheck(anchors: readonly AuditAnchor[] = [], after = 0) {
  const verdict: AuditVerdict = { events: 0, head: emptyLogHash, anchors: 0, anchoredUpTo: 0, faults: [] }
  const bySequence = new Map<number, AuditAnchor[]>()
  for (const anchor of anchors) bySequence.set(anchor.sequence, [...(bySequence.get(anchor.sequence) ?? []), anchor])
  let last = after
  let isHeadKnown = after === 0

  function compare(): void {
    for (const { hash, blockNumber } of bySequence.get(last) ?? []) {
      if (hash === verdict.head) {
        verdict.anchors += 1
        verdict.anchoredUpTo = last
      } else {
        verdict.faults.push({ sequence: last, fault: `is not the event that block ${blockNumber} anchors` })
      }
    }
    bySequence.delete(last)
  }
  if (isHeadKnown) compare() // an empty log may be anchored too

  return {
    add(entry: AuditEntry): void {
      const { sequence, previousHash, hash } = entry
      const { faults } = verdict
      if (sequence !== last + 1) faults.push({ sequence, fault: `events ${last + 1} to ${sequence - 1} are missing` })
      if (isHeadKnown && previousHash !== verdict.head)
        faults.push({ sequence, fault: 'does not follow the event before it' })
      if (hash !== auditHash(entry, previousHash)) faults.push({ sequence, fault: 'was changed after it was written' })
      last = sequence
      isHeadKnown = true
      verdict.events += 1
      verdict.head = hash
      compare()
    },

    /** `head`: what the log itself says is its last event, where that is known. */
    end(head?: { sequence: number; hash: Hex } | null): AuditVerdict {
      const { faults } = verdict
      const isLast = head?.sequence === last && (!isHeadKnown || head.hash === verdict.head)
      if (head !== undefined && !isLast) {
        faults.push({ sequence: last + 1, fault: 'events at the end are missing or were added by hand' })
      }
      for (const [sequence, [anchor]] of bySequence) {
        faults.push({ sequence, fault: `is missing, and block ${anchor?.blockNumber} anchors it` })
      }
      return verdict
    },
  }
}
