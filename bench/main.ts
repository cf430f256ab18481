import { writeFile } from 'node:fs/promises'
import { arch, cpus, platform } from 'node:os'
import type { BenchmarkRow } from './Benchmark.js'
import { apiMemory } from './api/apiMemory.js'
import { flood } from './api/flood.js'
import { proof } from './api/proof.js'
import { draining } from './draining.js'
import { enclave } from './enclave.js'
import { entropy } from './entropy.js'
import { missesGoal, type Figure } from './Figure.js'
import { quoteVerification } from './quoteVerification.js'
import { service } from './service/index.js'
import { signing } from './signing.js'
import { sizes, type SizeRow } from './sizes.js'

type Row = BenchmarkRow | SizeRow | Figure

/** The benchmarks of `npm run bench`, by name. `npm run bench -- <name> …` runs some of them. */
const benchmarks: Record<string, () => Promise<Row[]>> = {
  quoteVerification,
  entropy,
  enclave,
  signing,
  service,
  proof,
  flood,
  draining,
  sizes,
}

/** Run only when they are named, because they take minutes. */
const onRequest: typeof benchmarks = { apiMemory }

const all = { ...benchmarks, ...onRequest }
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !Object.hasOwn(all, name))
if (unknown.length > 0) {
  console.error(`no such benchmark: ${unknown.join(', ')}. There are: ${Object.keys(all).join(', ')}`)
  process.exit(2)
}

const results: Record<string, Row[]> = {}
for (const name of wanted.length > 0 ? wanted : Object.keys(benchmarks)) {
  console.log(`running ${name} …`)
  const rows: Row[] = (await all[name]?.()) ?? []
  results[name] = rows
  console.table(rows.map(print))
}

const machine = { node: process.version, platform: `${platform()} ${arch()}`, cores: cpus().length }
const file = new URL('./results.json', import.meta.url)
await writeFile(file, `${JSON.stringify({ takenAt: new Date().toISOString(), machine, results }, null, 2)}\n`)

const missed = Object.values(results).flat().filter(isMissed)
for (const row of missed) console.error(`goal missed: ${row.name}`)
process.exitCode = missed.length > 0 ? 1 : 0

function print(row: Row): object {
  if ('gzippedBytes' in row) return printSize(row)
  return 'unit' in row ? printFigure(row) : printTimes(row)
}

function printFigure(row: Figure): object {
  const { atMost, atLeast, times } = row
  const bounds = [atMost !== undefined && `<= ${atMost}`, atLeast !== undefined && `>= ${atLeast}`]
  return {
    subject: row.name,
    value: `${round(row.value)} ${row.unit}`,
    rounds: row.rounds === 1 ? '' : row.spread.map(round).join(' – '),
    ratio: times === undefined ? '' : `${round(times)} x ${row.comparedWith}`,
    'ratio by round': row.timesSpread ? row.timesSpread.map(round).join(' – ') : '',
    goal: [...bounds, isMissed(row) && 'MISSED'].filter(Boolean).join(' '),
  }
}

function printTimes(row: BenchmarkRow): object {
  return {
    subject: row.name,
    'p50 ms': round(row.p50Ms),
    'p95 ms': round(row.p95Ms),
    'per second': round(1000 / row.p50Ms), // one at a time
    operations: row.operations,
    ratio: row.timesFaster === undefined ? '' : `${round(row.timesFaster)} x ${row.comparedWith}`,
    goal: [row.goal && `>= ${round(row.goal)} x`, row.atMostMs && `<= ${row.atMostMs} ms`, isMissed(row) && 'MISSED']
      .filter(Boolean)
      .join(' '),
  }
}

function printSize(row: SizeRow): object {
  return {
    subject: row.name,
    'bytes gzipped': row.gzippedBytes ?? '',
    'times ours': row.timesOurs === undefined ? '' : round(row.timesOurs),
    goal: [row.atMostBytes && `<= ${row.atMostBytes} bytes`, isMissed(row) && 'MISSED'].filter(Boolean).join(' '),
    note: row.note ?? '',
  }
}

function isMissed(row: Row): boolean {
  if ('gzippedBytes' in row) return row.atMostBytes !== undefined && (row.gzippedBytes ?? Infinity) > row.atMostBytes
  if ('unit' in row) return missesGoal(row)
  const { goal, timesFaster, atMostMs, p50Ms } = row
  return (goal !== undefined && (timesFaster ?? 0) < goal) || (atMostMs !== undefined && p50Ms > atMostMs)
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
