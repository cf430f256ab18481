import { Command, InvalidArgumentError, Option } from 'commander'
import { targetsOf } from './chaos/plan.js'

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
  /** Hostile users instead of faults. */
  attack: boolean
  /** Rounds of calm and attack. */
  rounds: number
  /** A Temporal cluster in place of the dev server. */
  cluster: boolean
  /** Then kill Postgres and promote its standby. */
  failover: boolean
  /** How many failpoints; null is all of them. */
  points: number | null
  /** How often each failpoint is reached. */
  runs: number
  json: boolean
  keep: boolean
}

const profiles = {
  short: { signatures: 60, rate: 1.2, kills: 9, users: 4, rolling: 2, backlog: 0, points: 2, runs: 1 },
  long: { signatures: 10_000, rate: 3, kills: 160, users: 8, rolling: 50, backlog: 500, points: 0, runs: 1 },
} as const

/** Many users who rarely sign, as people do, so that heavy users stand out. */
const attacked = { users: 144, rounds: 5 }
const leastAttacked = 2

const description =
  'The fault test: users sign through the API while processes are killed and frozen, networks fail, the chain reorgs ' +
  'and everything is restarted at once. Then a checker, a separate program, counts what went wrong.'
const notes = `
Exit code: 0 every count is zero (with --attack also: the others' p95 at most 1.5 times); 1 otherwise, with the seed and the timeline; 2 wrong usage.`

type Given = Partial<Omit<SoakOptions, 'recoverySeconds' | 'profile'>> &
  Pick<SoakOptions, 'profile'> & { minutes?: number; recovery: number }

/** The options of the command line. Help, and wrong usage, are printed and end the process. */
export function parseArguments(args: readonly string[], now: number): SoakOptions {
  const command = createCommand().parse(args, { from: 'user' })
  const { minutes, recovery, profile, ...given } = command.opts<Given>()
  const signatures = given.signatures ?? profiles[profile].signatures
  if (given.attack && (given.users ?? leastAttacked) < leastAttacked) {
    command.error(`--attack needs ${leastAttacked} users: one with a passkey and one without`)
  }
  return {
    ...profiles[profile],
    seed: now % 2 ** 32,
    apis: 2,
    workers: 2,
    failpoints: false,
    attack: false,
    rounds: attacked.rounds,
    cluster: false,
    failover: false,
    json: false,
    keep: false,
    ...(minutes !== undefined && { rate: signatures / (minutes * 60) }),
    ...(given.failpoints && { points: null, runs: 3 }),
    ...(given.attack && attacked),
    ...(given.cluster && { kills: Math.max(profiles[profile].kills, targetsOf(true).length) }), // each at least once
    ...given,
    profile,
    recoverySeconds: recovery,
  }
}

function createCommand(): Command {
  const whole = (name: string, text: string, least = 0) =>
    new Option(`--${name} <n>`, text).argParser(number(least, true))
  const rate = new Option('--rate <n>', 'requests a second').argParser(number(0.1))
  return new Command('npm run soak --')
    .description(description)
    .addOption(
      new Option('--profile <name>', 'defaults of the other options').choices(['short', 'long']).default('short'),
    )
    .addOption(whole('signatures', 'signatures asked for during the faults (60; long 10,000)', 1))
    .addOption(rate)
    .addOption(new Option('--minutes <n>', 'length of the faults').argParser(number(0.1)).conflicts('rate'))
    .addOption(
      whole('kills', 'processes killed, evenly over all kinds; other faults are added (9, on a cluster 14; long 160)'),
    )
    .addOption(whole('seed', 'the same seed plans the same faults (default: the time)'))
    .addOption(whole('users', 'users who sign (4; long 8; with --attack 144)', 1))
    .addOption(whole('apis', 'API processes (2)', 1))
    .addOption(whole('workers', 'worker processes (2)', 1))
    .addOption(
      whole('rolling', 'then restart APIs and workers by SIGTERM this many times; no request may fail (2; long 50)'),
    )
    .addOption(whole('backlog', 'then cut the chain off until this many proofs wait, and let them drain (0; long 500)'))
    .addOption(
      new Option('--recovery <s>', 'the longest that one kill may stop signing').argParser(number(1)).default(10),
    )
    .option('--cluster', 'on a Temporal cluster (npm start -- --cluster), whose roles are killed and restarted too')
    .option('--failover', 'then kill Postgres for good, and promote a standby')
    .addOption(whole('points', 'then kill a worker at this many failpoints, chosen by the seed (2; long 0)'))
    .option('--failpoints', 'instead of all this: kill a worker before and after every step, with the same checker')
    .addOption(
      new Option(
        '--attack',
        'instead of all this: nine hostile users against limits and shares that fit the machine, and what the others notice',
      ).conflicts(['failpoints', 'cluster', 'failover']),
    )
    .addOption(whole('rounds', 'with --attack: times that calm and attack follow each other (5)', 1))
    .addOption(whole('runs', 'times that each failpoint is reached (1; with --failpoints 3)', 1))
    .option('--json', 'print the result as JSON')
    .option('--keep', 'keep the folder with logs, timeline and data (always kept when something is wrong)')
    .addHelpText('after', notes)
    .showHelpAfterError('See: npm run soak -- --help')
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
}

const number =
  (least: number, whole = false) =>
  (text: string): number => {
    const value = Number(text)
    const isGood = Number.isFinite(value) && value >= least && (!whole || Number.isInteger(value))
    if (!isGood) throw new InvalidArgumentError(`It must be a ${whole ? 'whole ' : ''}number of at least ${least}.`)
    return value
  }

/** The command that plans the same faults again. */
export function commandOf(options: SoakOptions): string {
  const { profile, signatures, rate, kills, seed, users, rolling, backlog, runs, points } = options
  if (options.failpoints) {
    return `npm run soak -- --failpoints --runs ${runs}${points === null ? '' : ` --points ${points}`} --seed ${seed}`
  }
  if (options.attack) return `npm run soak -- --attack --rounds ${options.rounds} --users ${users} --seed ${seed}`
  const numbers = { signatures, rate: Math.round(rate * 100) / 100, kills, seed, users, rolling, backlog, points, runs }
  const flags = Object.entries(numbers).map(([name, value]) => `--${name} ${value}`)
  return `npm run soak -- --profile ${profile} ${flags.join(' ')}${options.cluster ? ' --cluster' : ''}${options.failover ? ' --failover' : ''}`
}
