import { readFile, writeFile } from 'node:fs/promises'
import { arch, cpus, platform } from 'node:os'
import type { FailpointsResult } from '../failpoints/runFailpoints.js'
import type { SoakOptions } from '../parseArguments.js'
import type { SoakResult } from '../SoakResult.js'
import { printFailpoints, printResult } from './printResult.js'

const marks = (name: string) => [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`] as const

/** Puts the result between the marks of its kind, and leaves the rest of the page alone. */
export async function writeReport(file: string, result: SoakResult | FailpointsResult): Promise<void> {
  const before = await readFile(file, 'utf8').catch(() => '# Reliability\n')
  const name = 'sweep' in result ? 'soak-failpoints' : `soak-${result.options.profile}`
  const lines = [
    `\`${commandOf(result.options)}\``,
    '',
    `Run on ${result.takenAt.slice(0, 16).replace('T', ' ')} UTC, ${cpus().length} cores, ${platform()} ${arch()}, Node ${process.version}.`,
    '',
    'sweep' in result ? printFailpoints(result) : printResult(result),
    ...(result.problems.length > 0
      ? ['', '**Not as promised:**', '', ...result.problems.map((one) => `- ${one}`)]
      : []),
  ]
  await writeFile(file, replaceSection(before, name, lines.join('\n')))
}

/** The text with this section replaced, or added at the end. */
export function replaceSection(text: string, name: string, content: string): string {
  const [begin, end] = marks(name)
  const block = `${begin}\n${content}\n${end}`
  const from = text.indexOf(begin)
  const to = text.indexOf(end)
  if (from === -1 || to === -1) return `${text.trimEnd()}\n\n${block}\n`
  return text.slice(0, from) + block + text.slice(to + end.length)
}

/** The command that plans the same faults again. */
export function commandOf(options: SoakOptions): string {
  const { profile, signatures, rate, kills, seed, users, rolling, backlog, runs, points } = options
  if (options.failpoints) {
    return `npm run soak -- --failpoints --runs ${runs}${points === null ? '' : ` --points ${points}`} --seed ${seed}`
  }
  const numbers = { signatures, rate: Math.round(rate * 100) / 100, kills, seed, users, rolling, backlog }
  const flags = Object.entries(numbers).map(([name, value]) => `--${name} ${value}`)
  return `npm run soak -- --profile ${profile} ${flags.join(' ')}`
}
