import { writeFile } from 'node:fs/promises'
import { arch, constants, cpus, loadavg, platform } from 'node:os'
import { Argument, Command } from 'commander'
import { countOnly, isQuick } from './measure/counted.js'
import { missesGoal } from './measure/Figure.js'
import { measurePart, type Part, type PartResult } from './measure/Part.js'
import { printFigures } from './measure/printFigures.js'
import { parts } from './parts.js'
import { openStack, type BenchStack } from './stack/openStack.js'

const names = parts.map(({ name }) => name)
const command = new Command('npm run bench --')
  .description('Benchmarks, as ratios within one run. All of them take 10 to 20 minutes and write bench/results.json.')
  .addArgument(new Argument('[parts...]', 'only these; nothing is written').choices(names))
  .option('--quick', 'an eighth of the repetitions, to see that a part works; nothing is written')
  .addHelpText('after', `\n${parts.map(describe).join('\n')}\n`)
  .addHelpText('after', 'Exit code: 0 every goal is met, 1 a goal is missed, 2 wrong usage, 3 a part failed.')
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .parse()
const wanted = command.args

const start = performance.now()
const elapsed = () => Math.round((performance.now() - start) / 1000)
const chosen = parts.filter(({ name, onlyByName }) => (wanted.length > 0 ? wanted.includes(name) : !onlyByName))
const loadBefore = loadavg()
const results: Record<string, PartResult & { counted: number }> = {}
/** Parts take fewer repetitions so as to end by then, but never less than a fifth, so that a slow machine takes longer. */
const wholeSeconds = 540
let opened: Promise<BenchStack> | undefined

/** Started when the first part needs it, and used by all. */
const stack = () => (opened ??= openStack())
let closed: Promise<void> | undefined
const close = () => (closed ??= opened?.then((open) => open.close()).catch(() => undefined))

// Stopped early, it stops what it started, and prints no figures of a part that lost its servers.
let stopping = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    stopping = true
    void Promise.resolve(close()).then(() => process.exit(128 + constants.signals[signal]))
  })
}

try {
  for (const [index, part] of chosen.entries()) {
    console.log(`[${index + 1}/${chosen.length}] ${part.name} (about ${part.seconds} s): ${part.compares}`)
    const counted = wanted.length > 0 || isQuick ? 1 : timeFor(chosen.slice(index))
    countOnly(counted)
    if (counted < 0.95) console.log(`  with ${Math.round(counted * 100)} % of its repetitions, to finish in time`)
    const result = await measurePart(part, stack)
    if (stopping) await new Promise(() => undefined) // until the process exits
    results[part.name] = { ...result, counted }
    printFigures(result.figures)
    const outcome = result.failure ? `FAILED: ${result.failure}` : 'done'
    console.log(`  ${outcome} after ${result.seconds} s, ${elapsed()} s in all`)
  }
} finally {
  await close()
}

const missed = Object.values(results).flatMap(({ figures }) => figures.filter(missesGoal))
const failed = Object.entries(results).filter(([, { failure }]) => failure !== undefined)
const totalSeconds = elapsed()
for (const row of missed) console.error(`goal missed: ${row.name}`)
for (const [name, { failure }] of failed) console.error(`not measured: ${name}: ${failure}`)
console.log(`${chosen.length} benchmarks in ${totalSeconds} s, ${missed.length} goals missed, ${failed.length} failed.`)
if (wanted.length === 0 && !isQuick) await keep()
process.exit(failed.length > 0 ? 3 : missed.length > 0 ? 1 : 0)

/** The share of all repetitions that fits into the time left. Rounds are never fewer. */
function timeFor(left: readonly Part[]): number {
  const expected = left.reduce((sum, { seconds }) => sum + seconds, 0)
  return Math.min(1, Math.max(0.2, (wholeSeconds - elapsed()) / expected))
}

async function keep(): Promise<void> {
  const machine = { node: process.version, platform: `${platform()} ${arch()}`, cores: cpus().length, loadBefore }
  const file = new URL('./results.json', import.meta.url)
  const content = { takenAt: new Date().toISOString(), totalSeconds, machine, results }
  await writeFile(file, `${JSON.stringify(content, null, 2)}\n`)
  console.log('Written to bench/results.json.')
}

function describe({ name, compares, onlyByName }: Part): string {
  return `  ${name.padEnd(18)} ${compares}${onlyByName ? `\n${' '.repeat(21)}only by name: ${onlyByName}` : ''}`
}
