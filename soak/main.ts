import { join } from 'node:path'
import { createStackFolder } from '../dev/stack/createStackFolder.js'
import { createProgress } from '../dev/stack/progress.js'
import { printAttack } from './attack/verdict/printAttack.js'
import { runAttack, type AttackResult } from './attack/runAttack.js'
import { runFailpoints, type FailpointsResult } from './failpoints/runFailpoints.js'
import { parseArguments, type SoakOptions } from './parseArguments.js'
import { printFailpoints, printResult } from './report/printResult.js'
import { runSoak, type SoakResult } from './runSoak.js'

async function main(options: SoakOptions): Promise<number> {
  const { folder, remove } = await createStackFolder('soak')
  const progress = createProgress(options.json ? process.stderr : process.stdout)
  progress.say(`seed ${options.seed}, timeline ${join(folder, 'timeline.jsonl')}`)
  let keep = true
  try {
    const result = await runOf(options)(options, folder, progress)
    keep = options.keep || result.problems.length > 0
    if (options.json) console.log(JSON.stringify(result, null, 2))
    else console.log(print(result))
    if (result.problems.length === 0) return 0
    console.error(`seed ${options.seed}, timeline ${result.timeline}`)
    for (const problem of result.problems) console.error(`  ${problem}`)
    return 1
  } finally {
    if (!keep) await remove()
  }
}

type Result = SoakResult | FailpointsResult | AttackResult

function runOf({ failpoints, attack }: SoakOptions): (...given: Parameters<typeof runSoak>) => Promise<Result> {
  if (attack) return runAttack
  return failpoints ? runFailpoints : runSoak
}

function print(result: Result): string {
  if ('others' in result) return printAttack(result)
  return 'load' in result ? printResult(result) : printFailpoints(result)
}

process.exit(await main(parseArguments(process.argv.slice(2), Date.now())))
