import type { SoakOptions } from '../parseArguments.js'

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
