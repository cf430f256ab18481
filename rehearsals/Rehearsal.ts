import type { RunPlace } from '../soak/openRun.js'
import type { CheckName } from '../soak/check/checks.js'
import type { Rig } from './rig/openRig.js'

/** One thing that operators do with a running service, done here from start to end. */
export interface Rehearsal {
  name: string
  title: string
  /** Variables of all programs, and what must happen before users sign in. */
  place?: Pick<RunPlace, 'env' | 'prepare'>
  /** Counts of the checker that this rehearsal may leave above zero, with the reason. */
  expected?: Partial<Record<CheckName, string>>
  run(rig: Rig): Promise<void>
}
