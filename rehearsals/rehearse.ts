import type { Rehearsal } from './Rehearsal.js'
import type { Report } from './report.js'
import { openRig, type RigOptions } from './rig/openRig.js'

/** Runs one rehearsal in a folder of its own. `problems` is empty when it passed. */
export async function rehearse(rehearsal: Rehearsal, options: RigOptions): Promise<Report> {
  const takenAt = new Date()
  const rig = await openRig(rehearsal, options)
  try {
    rig.load.start()
    await rehearsal.run(rig)
    const result = await rig.finish()
    return { name: rehearsal.name, takenAt, ms: Date.now() - takenAt.getTime(), ...result }
  } finally {
    await rig.close()
  }
}
