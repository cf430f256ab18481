import { createStackFolder } from '../dev/stack/createStackFolder.js'
import { createProgress } from '../dev/stack/progress.js'
import { growth } from './growth.js'
import { parseArguments, type RehearseOptions } from './parseArguments.js'
import type { Rehearsal } from './Rehearsal.js'
import { record, verdict, type Report } from './report.js'
import { restore } from './restore/restore.js'
import { openRig, type RigOptions } from './rig/openRig.js'
import { rotation } from './rotation/rotation.js'
import { temporal } from './temporal/temporal.js'
import { upgrade } from './upgrade/upgrade.js'

/** In the order of `docs/operations.md`. */
const rehearsals: readonly Rehearsal[] = [restore, upgrade, rotation, growth, temporal]

async function main({ name, rate, record: asRecord, keep }: RehearseOptions): Promise<number> {
  const rehearsal = rehearsals.find((one) => one.name === name) as Rehearsal // the command line takes no other name
  const { folder, remove } = await createStackFolder(`rehearse-${name}`)
  const progress = createProgress(asRecord ? process.stderr : process.stdout)
  progress.say(`${rehearsal.title}\nfolder ${folder}`)
  let remains = true
  try {
    const report = await rehearse(rehearsal, { folder, progress, rate })
    remains = keep || report.problems.length > 0
    for (const problem of report.problems) console.error(`  ${problem}`)
    console.log(asRecord ? record(report) : verdict(report))
    return report.problems.length === 0 ? 0 : 1
  } finally {
    if (!remains) await remove()
  }
}

/** Runs one rehearsal in a folder of its own. `problems` is empty when it passed. */
async function rehearse(rehearsal: Rehearsal, options: RigOptions): Promise<Report> {
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

process.exit(await main(parseArguments(process.argv.slice(2), rehearsals)))
