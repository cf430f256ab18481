import type { Acknowledged } from '../../load/acknowledge.js'

/** An attacker: the addresses they connect from, and their browser's headers. */
export interface Account {
  name: string
  wallet: `0x${string}`
  /** Headers of a live session. */
  headers: Record<string, string>
  /** The same of every live session of this person. */
  sessions: Record<string, string>[]
  /** The same with a cookie whose session has ended. */
  deadHeaders: Record<string, string>
  /** Local addresses of their connections. */
  addresses: string[]
}

/** A request that was answered once, or belongs to somebody else. */
export interface Replay {
  name: string
  /** `same`: their own request again, which gets its own answer again and nothing new. */
  expect: 'refused' | 'same'
  path: string
  headers: Record<string, string>
  body: string
  /** The answer of the first time. */
  answer: string | null
}

/** The plan for the process that plays all nine. */
export interface HostilePlan {
  apiUrls: string[]
  chainId: number
  flooders: Account[]
  signers: Account[]
  holder: Account
  replayer: Account
  replays: Replay[]
  /** Proofs that stay pending, whose streams do not end. */
  pendingSlugs: string[]
  /** The process ends by then, whatever happens to the one that started it. */
  endsAfterMs: number
}

/** A refusal, and which of its parts were there. */
export interface Refusal {
  by: string
  operation: string
  status: number
  code: string
  share: string | null
  hasRetryAfter: boolean
  hasRateLimit: boolean
  times: number
}

export interface ReplayOutcome {
  name: string
  expect: Replay['expect']
  status: number
  code: string
  /** Whether the answer was exactly that of the first time. */
  same: boolean
  times: number
}

/** What one of them asked and got. */
export interface Tally {
  name: string
  sent: number
  /** Not sent, since all their connections were waiting for an answer. */
  heldBack: number
  /** `429 share_exceeded user.perDay`, and how often. */
  answers: Record<string, number>
  /** Answers by documented operation. */
  operations: Record<string, number>
}

/** Everything that the process saw since it started. */
export interface HostileReport {
  tallies: Tally[]
  refusals: Refusal[]
  replays: ReplayOutcome[]
  /** Documented operations, answered or not. */
  operations: string[]
  /** Most streams open at once, by holder. */
  streams: { kind: 'user' | 'address'; holder: string; most: number }[]
  acknowledged: Acknowledged[]
}
