import type { HonestRequest } from '../measureOthers.js'
import type { HostileReport } from '../hostile/Plan.js'
import type { sizedShares } from '../sizedShares.js'

/** Something signed or made, as the records have it. */
export interface SignedRecord {
  user: string
  kind: 'transaction' | 'message' | 'birth'
  /** When the API had counted it, by the audit log; otherwise when it was recorded. Milliseconds since 1970. */
  at: number
  /** UTC. */
  day: string
  /** Whether the chain has it. */
  sent: boolean
}

/** What the counts of the attack run look at. Plain data, so that a test can spoil it. */
export interface AttackEvidence extends Pick<HostileReport, 'refusals' | 'replays' | 'operations' | 'streams'> {
  shares: Pick<typeof sizedShares, 'users' | 'streams'>
  /** How long a transaction that nobody has seen counts as unsent. */
  unsentSeconds: number
  signed: SignedRecord[]
  /** Answers by documented operation. */
  answered: Record<string, number>
  honest: HonestRequest[]
  /** Samples that the source gave in this run, and had left when it began. */
  samples: { given: number; left: number }
}
