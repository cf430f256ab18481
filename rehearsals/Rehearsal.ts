import type { Rig, RigNeeds } from './rig/openRig.js'

/** One thing that operators do with a running service, done here from start to end. */
export interface Rehearsal extends RigNeeds {
  name: string
  title: string
  run(rig: Rig): Promise<void>
}
