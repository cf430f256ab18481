import { z } from 'zod'
import {
  defaultFreshnessSeconds,
  entropyKeySchema,
  provenanceLevels,
  rawPublicKey,
  type EntropyKey,
  type EntropyTrust,
} from '../entropy/index.js'
import type { EnvReader } from './EnvReader.js'

const keySchema = entropyKeySchema.extend({
  source: z.string().min(1).max(64),
  publicKey: z.string().regex(/^0x(?:[0-9a-f]{2})+$/),
  validFrom: z.int().nonnegative(),
  validTo: z.int().nonnegative().nullable(),
})
const keysSchema = z.record(z.string().min(1).max(128), keySchema)

/**
 * Which entropy this program trusts. `SATELLITE_PUBLIC_KEYS` is JSON: key id -> `EntropyKey`. `ENTROPY_ASSERTED_SOURCES`
 * lists sources that the operator vouches for. `ENTROPY_BEACON_NAMES` lists `name:source`; the caller adds the beacon
 * verifier, because not every program loads it.
 */
export function parseEntropyTrust(env: EnvReader): EntropyTrust & { beaconNames: Record<string, string> } {
  return {
    minimum: env.oneOf('ENTROPY_MINIMUM', provenanceLevels),
    freshnessSeconds: env.integer('ENTROPY_FRESHNESS_SECONDS', { min: 1, max: 86_400 }, defaultFreshnessSeconds),
    keys: parseKeys(env),
    assertedSources: env.list('ENTROPY_ASSERTED_SOURCES', ''),
    beaconNames: parseBeaconNames(env),
  }
}

function parseKeys(env: EnvReader): Record<string, EntropyKey> {
  try {
    const keys = keysSchema.parse(JSON.parse(env.text('SATELLITE_PUBLIC_KEYS', '{}'))) as Record<string, EntropyKey>
    for (const key of Object.values(keys)) rawPublicKey(key)
    return keys
  } catch {
    const fields = Object.keys(keySchema.shape).join(', ')
    env.problem(`SATELLITE_PUBLIC_KEYS must be JSON: key id -> { ${fields} }`)
    return {}
  }
}

function parseBeaconNames(env: EnvReader): Record<string, string> {
  const names: Record<string, string> = {}
  for (const item of env.list('ENTROPY_BEACON_NAMES', '')) {
    const [name, source, ...rest] = item.split(':')
    if (name && source && rest.length === 0) names[name] = source
    else env.problem('ENTROPY_BEACON_NAMES must be a list of name:source')
  }
  return names
}
