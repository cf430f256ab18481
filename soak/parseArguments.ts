import { parseArgs } from 'node:util'
import { UsageError } from '@perigee/core/config'

export interface SoakOptions {
  profile: 'short' | 'long'
  signatures: number
  /** Requests a second. */
  rate: number
  kills: number
  seed: number
  users: number
  apis: number
  workers: number
  rolling: number
  backlog: number
  recoverySeconds: number
  failpoints: boolean
  /** Times each failpoint is reached, and how many points; null is all of them. */
  runs: number
  points: number | null
  report: string | null
  json: boolean
  keep: boolean
  help: boolean
}

const profiles = {
  short: { signatures: 150, rate: 1.8, kills: 10, users: 4, rolling: 4, backlog: 0 },
  long: { signatures: 10_000, rate: 4.5, kills: 160, users: 8, rolling: 50, backlog: 500 },
} as const

const numbers = ['signatures', 'rate', 'minutes', 'kills', 'seed', 'users', 'apis', 'workers', 'rolling', 'backlog', 'recovery', 'runs', 'points'] as const // prettier-ignore

/** Options of the command line, or UsageError with every problem at once. */
export function parseArguments(args: readonly string[], now: number): SoakOptions {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean', default: false } as const
  const options = { profile: text, report: text, failpoints: flag, json: flag, keep: flag, help: flag }
  const values = parse([...args], { ...Object.fromEntries(numbers.map((name) => [name, text])), ...options })
  const problems: string[] = []
  const number = (name: (typeof numbers)[number], least = 0, whole = true): number | undefined => {
    const given = values[name]
    if (given === undefined) return undefined
    const value = Number(given)
    const isGood = Number.isFinite(value) && value >= least && (!whole || Number.isInteger(value))
    if (!isGood) problems.push(`--${name} must be a ${whole ? 'whole ' : ''}number of at least ${least}`)
    return value
  }
  const profile = values['profile'] ?? 'short'
  if (profile !== 'short' && profile !== 'long') problems.push('--profile is short or long')
  const usual = profiles[profile === 'long' ? 'long' : 'short']
  const signatures = number('signatures', 1) ?? usual.signatures
  const minutes = number('minutes', 0.1, false)
  const rate = number('rate', 0.1, false)
  if (minutes !== undefined && rate !== undefined) problems.push('--rate and --minutes say the same thing: give one')
  const result: SoakOptions = {
    profile: profile === 'long' ? 'long' : 'short',
    signatures,
    rate: rate ?? (minutes === undefined ? usual.rate : signatures / (minutes * 60)),
    kills: number('kills') ?? usual.kills,
    seed: (number('seed') ?? now) % 2 ** 32,
    users: number('users', 1) ?? usual.users,
    apis: number('apis', 1) ?? 2,
    workers: number('workers', 1) ?? 2,
    rolling: number('rolling') ?? usual.rolling,
    backlog: number('backlog') ?? usual.backlog,
    recoverySeconds: number('recovery', 1, false) ?? 10,
    failpoints: values['failpoints'] === true,
    runs: number('runs', 1) ?? 3,
    points: number('points', 1) ?? null,
    report: typeof values['report'] === 'string' ? values['report'] : null,
    json: values['json'] === true,
    keep: values['keep'] === true,
    help: values['help'] === true,
  }
  if (problems.length > 0) throw new UsageError(problems.join('\n'))
  return result
}

function parse(args: string[], options: Record<string, { type: 'string' | 'boolean' }>) {
  try {
    return parseArgs({ args, options }).values as Record<string, string | boolean | undefined>
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}
