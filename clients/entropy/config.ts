import { parseEntropyTrust, type EnvReader } from '@perigee/core/config'
import { meetsLevel, type EntropyProvenance, type EntropyTrust } from '@perigee/core/entropy'
import { parseOrbitportConfig, type OrbitportConfig } from './orbitport/config.js'

const sourceNames = ['orbitport', 'beacon', 'simulated'] as const
type SourceName = (typeof sourceNames)[number]

export interface EntropyConfig {
  /** In order of preference. */
  sources: SourceName[]
  trust: EntropyTrust & { beaconNames: Record<string, string> }
  /** Samples held ahead. */
  target: number
  satelliteUrl: string | null
  orbitport: OrbitportConfig | null
  beacon: { name: string; source: string; gateways: string[] } | null
}

/**
 * `ENTROPY_SOURCES` in order of preference, what each needs, and the trust that decides what is believed. A source that
 * can never reach `ENTROPY_MINIMUM` is a problem at the start, not a surprise at the first signature.
 */
export function parseEntropyConfig(env: EnvReader): EntropyConfig {
  const trust = parseEntropyTrust(env)
  const names = env.list('ENTROPY_SOURCES')
  const sources = sourceNames.filter((name) => names.includes(name)).sort((a, b) => names.indexOf(a) - names.indexOf(b))
  if (sources.length !== names.length || sources.length === 0) {
    env.problem(`ENTROPY_SOURCES must list some of ${sourceNames.join(', ')}, each once, in order of preference`)
  }
  const config: EntropyConfig = {
    sources,
    trust,
    target: env.integer('ENTROPY_SUPPLY_TARGET', { min: 1, max: 10_000 }, 64),
    satelliteUrl: sources.includes('simulated') ? env.url('SATELLITE_URL', ['http:', 'https:']) : null,
    orbitport: sources.includes('orbitport') ? parseOrbitportConfig(env) : null,
    beacon: sources.includes('beacon') ? parseBeacon(env, trust.beaconNames) : null,
  }
  for (const name of sources) checkReach(env, name, config)
  return config
}

function parseBeacon(env: EnvReader, names: Record<string, string>): EntropyConfig['beacon'] {
  const [entry, ...more] = Object.entries(names)
  if (entry === undefined || more.length > 0) {
    env.problem('ENTROPY_BEACON_NAMES must pin exactly one name:source for the beacon source')
  }
  return { name: entry?.[0] ?? '', source: entry?.[1] ?? '', gateways: env.urls('ENTROPY_BEACON_GATEWAYS') }
}

function checkReach(env: EnvReader, name: SourceName, config: EntropyConfig): void {
  const best = bestLevel(name, config)
  if (best === null) env.problem(`the entropy source ${name} is listed, and no key or name is pinned to verify it with`)
  else if (!meetsLevel(best, config.trust.minimum)) {
    env.problem(`the entropy source ${name} reaches at most ${best}, below ENTROPY_MINIMUM`)
  }
}

/** The strongest level a source can reach under this trust; null when it can reach none. */
function bestLevel(name: SourceName, { trust, beacon }: EntropyConfig): EntropyProvenance | null {
  const shows = (source: string): EntropyProvenance | null =>
    Object.values(trust.keys).find((key) => key.source === source)?.shows ?? null
  switch (name) {
    case 'simulated':
      return shows('simulated-satellite')
    case 'beacon':
      return beacon?.source ? 'beacon-verified' : null
    case 'orbitport':
      return shows('orbitport') ?? (trust.assertedSources?.includes('orbitport') ? 'operator-asserted' : null)
  }
}
