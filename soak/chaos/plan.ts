import { linkFaults, type LinkFault } from '../network/createLink.js'
import { createRandom } from '../../tests/createRandom.js'

/** What can be killed and frozen. Of `api` and `worker` there are several processes; one of them is hit. */
export const targets = [
  'api',
  'worker',
  'enclave',
  'temporal',
  'postgres',
  'kubo',
  'anvil',
  'satellite',
  'identity-provider',
] as const
/** Of a Temporal cluster: its roles, each of which has several processes, and what gives them one address. */
const clusterTargets = [
  'temporal-frontend',
  'temporal-internal-frontend',
  'temporal-history',
  'temporal-matching',
  'temporal-worker',
  'temporal-balancer',
] as const
export type Target = (typeof targets)[number] | (typeof clusterTargets)[number]

/** With a cluster its roles take the place of the one Temporal. */
export const targetsOf = (cluster: boolean): readonly Target[] =>
  cluster ? [...targets.filter((target) => target !== 'temporal'), ...clusterTargets] : targets

/** Every connection of a program that goes through a proxy, and the variable that names its other end. */
export const proxied = {
  'api-temporal': 'TEMPORAL_ADDRESS',
  'api-postgres': 'DATABASE_URL',
  'worker-temporal': 'TEMPORAL_ADDRESS',
  'worker-postgres': 'DATABASE_URL',
  'worker-enclave': 'ENCLAVE_URL',
  'worker-kubo': 'IPFS_API_URLS',
  'worker-chain': 'CHAIN_RPC_URLS',
  'worker-satellite': 'SATELLITE_URL',
} as const
/** The clients' way to the balancer too. */
export type LinkName = 'client-api' | keyof typeof proxied
export const linkNames = ['client-api', ...Object.keys(proxied)] as LinkName[]

export type Fault =
  | { kind: 'kill'; target: Target; which: number }
  | { kind: 'freeze'; target: Target; which: number; ms: number }
  | { kind: 'link'; link: LinkName; fault: LinkFault; ms: number }
  | { kind: 'reorg'; blocks: number }
  | { kind: 'restart-everything' }

export type PlannedFault = Fault & { atMs: number }

/** All faults of a run, decided by the seed alone. */
export function planFaults(options: { seed: number; kills: number; durationMs: number; cluster?: boolean }) {
  const { seed, kills, durationMs, cluster = false } = options
  const all = targetsOf(cluster)
  const random = createRandom(seed)
  const inTurn = <T>(items: readonly T[], count: number): T[] => {
    const rounds = Array.from({ length: Math.ceil(count / items.length) }, () => random.shuffle(items))
    return rounds.flat().slice(0, count)
  }
  const atLeast = (least: number, share: number) => (kills === 0 ? 0 : Math.max(least, Math.round(kills * share)))
  const ways = linkNames.flatMap((link) => linkFaults.map((fault) => ({ link, fault })))
  const faults: Fault[] = random.shuffle<Fault>([
    ...inTurn(all, kills).map((target) => ({ kind: 'kill' as const, target, which: random.between(0, 99) })),
    ...inTurn(all, atLeast(2, 1 / 6)).map((target) => ({
      kind: 'freeze' as const,
      target,
      which: random.between(0, 99),
      ms: random.between(1_500, 4_000),
    })),
    ...inTurn(ways, atLeast(4, 1 / 4)).map((way) => ({
      kind: 'link' as const,
      ...way,
      ms: random.between(2_000, 5_000),
    })),
    ...Array.from({ length: atLeast(1, 1 / 12) }, () => ({ kind: 'reorg' as const, blocks: 3 })),
  ])
  // Not at the ends: a restart of everything shows most in the middle of the load.
  const restarts = atLeast(1, 1 / 60)
  for (let index = 1; index <= restarts; index++) {
    faults.splice(Math.floor((faults.length * index) / (restarts + 1)), 0, { kind: 'restart-everything' })
  }
  const everyMs = durationMs / Math.max(1, faults.length)
  return faults.map((fault, index): PlannedFault => {
    return { ...fault, atMs: Math.round(everyMs * (index + 0.5 * random.fraction())) }
  })
}
