import { writeFile } from 'node:fs/promises'
import { arch, cpus, loadavg, platform } from 'node:os'
import { countOnly, isQuick } from './counted.js'
import { missesGoal } from './Figure.js'
import { measurePart, type Part, type PartResult } from './Part.js'
import { parts } from './parts.js'
import { printFigures } from './printFigures.js'
import { openStack, type BenchStack } from './stack/openStack.js'

const options = ['--help', '-h', '--quick']
const wanted = process.argv.slice(2).filter((word) => !options.includes(word))
if (process.argv.includes('--help') || process.argv.includes('-h')) {
  console.log(help())
  process.exit(0)
}
const unknown = wanted.filter((name) => !parts.some((part) => part.name === name))
if (unknown.length > 0) {
  console.error(`no such benchmark: ${unknown.join(', ')}\n\n${help()}`)
  process.exit(2)
}

const start = performance.now()
const elapsed = () => Math.round((performance.now() - start) / 1000)
const chosen = parts.filter(({ name, onlyByName }) => (wanted.length > 0 ? wanted.includes(name) : !onlyByName))
const loadBefore = loadavg()
const results: Record<string, PartResult & { counted: number }> = {}
/** Less than ten minutes, with closing everything. */
const wholeSeconds = 540
let opened: Promise<BenchStack> | undefined

/** Started when the first part needs it, and used by all. */
async function stack(): Promise<BenchStack> {
  opened ??= openStack()
  const open = await opened
  open.provide()
  return open
}

try {
  for (const [index, part] of chosen.entries()) {
    console.log(`[${index + 1}/${chosen.length}] ${part.name} (about ${part.seconds} s): ${part.compares}`)
    const counted = wanted.length > 0 || isQuick ? 1 : timeFor(chosen.slice(index))
    countOnly(counted)
    if (counted < 0.95) console.log(`  with ${Math.round(counted * 100)} % of its counts, to be done in time`)
    const result = await measurePart(part, stack)
    results[part.name] = { ...result, counted }
    printFigures(result.figures)
    console.log(
      `  ${result.failure ? `FAILED: ${result.failure}` : 'done'} after ${result.seconds} s, ${elapsed()} s in all`,
    )
  }
} finally {
  await opened?.then((open) => open.close()).catch(() => undefined)
}

const all = Object.values(results)
const missed = all.flatMap(({ figures }) => figures).filter(missesGoal)
const failed = Object.entries(results).filter(([, { failure }]) => failure !== undefined)
const totalSeconds = elapsed()
for (const row of missed) console.error(`goal missed: ${row.name}`)
for (const [name, { failure }] of failed) console.error(`not measured: ${name}: ${failure}`)
console.log(`${chosen.length} benchmarks in ${totalSeconds} s, ${missed.length} goals missed, ${failed.length} failed.`)
if (wanted.length === 0 && !isQuick) await keep()
process.exit(failed.length > 0 ? 3 : missed.length > 0 ? 1 : 0)

/** The part of all counts that fits into what is left of the time. Rounds are never fewer. */
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

function help(): string {
  const line = ({ name, compares }: Part) => `  ${name.padEnd(18)} ${compares}`
  const byName = parts.filter(({ onlyByName }) => onlyByName)
  return [
    'npm run bench               everything, in less than ten minutes; writes bench/results.json',
    'npm run bench -- <name> …   some of it; prints and writes nothing',
    'npm run bench -- --quick    an eighth of every count, to see that it works; writes nothing',
    '',
    ...parts.filter(({ onlyByName }) => !onlyByName).map(line),
    '',
    'By name only:',
    ...byName.flatMap((part) => [line(part), `${' '.repeat(21)}(${part.onlyByName})`]),
    '',
    'Exit code: 0 every goal is met, 1 a goal is missed, 2 no such benchmark, 3 a benchmark failed.',
  ].join('\n')
}
