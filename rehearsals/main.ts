import { UsageError } from '@perigee/core/config'
import { createStackFolder } from '../dev/stack/createStackFolder.js'
import { createProgress } from '../dev/stack/progress.js'
import { rehearsals } from './list.js'
import { parseArguments, type RehearseOptions } from './parseArguments.js'
import { rehearse } from './rehearse.js'
import { record, verdict } from './report.js'

async function main({ name, rate, record: asRecord, keep }: RehearseOptions): Promise<number> {
  const rehearsal = rehearsals.find((one) => one.name === name)
  if (!rehearsal) throw new UsageError(`there is no rehearsal ${name}`)
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

try {
  const options = parseArguments(process.argv.slice(2), rehearsals)
  process.exit(options === null ? 0 : await main(options))
} catch (error) {
  console.error(error instanceof UsageError ? `${error.message}\nSee: npm run rehearse -- --help` : error)
  process.exit(error instanceof UsageError ? 2 : 1)
}
