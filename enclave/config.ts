import { readFileSync } from 'node:fs'
import { EnvReader, parseEntropyTrust, parseHardwareTrust, type AttestationMode, type Env } from '@perigee/core/config'
import type { EntropyTrust } from '@perigee/core/entropy'
import type { ReleaseKeeper } from '@perigee/core/measurements'
import type { SigningPolicy } from '@perigee/core/policy'
import type { CoordinatorTrustOptions } from './authority/coordinatorTrust.js'
import type { QuoteLimits } from './platforms/Platform.js'

export interface EnclaveConfig {
  host: string
  port: number
  tls: { cert: Buffer; key: Buffer; clientCa: Buffer }
  clientKeys: string[]
  deadlineMs: number
  mode: AttestationMode
  /** The guest agent's socket; the SDK's own default when undefined. */
  dstackEndpoint: string | undefined
  /** Versions of the sealing key: the first one seals, all of them open. */
  sealingVersions: number[]
  quotes: QuoteLimits
  rememberedRequests: number
  /** Which coordinators may ask. */
  coordinators: Omit<CoordinatorTrustOptions, 'now'> & { releases: ReleaseKeeper }
  trust: EntropyTrust & { beaconNames: Record<string, string> }
  policy: SigningPolicy
}

/** The enclave's whole configuration. Throws a ConfigError naming every missing or wrong variable. */
export function parseConfig(variables: Env): EnclaveConfig {
  const env = new EnvReader(variables)
  const trust = parseEntropyTrust(env)
  const read = (path: string) => readFileSync(path)
  const { mode, snpRoots, releases } = parseHardwareTrust(env, read)
  const config: EnclaveConfig = {
    host: env.text('ENCLAVE_HOST', '127.0.0.1'),
    port: env.integer('ENCLAVE_PORT', { min: 0, max: 65_535 }),
    tls: {
      cert: env.file('ENCLAVE_TLS_CERT', read),
      key: env.file('ENCLAVE_TLS_KEY', read),
      clientCa: env.file('ENCLAVE_TLS_CLIENT_CA', (value) => (isPem(value) ? Buffer.from(value) : read(value))),
    },
    clientKeys: parseKeyHashes(env),
    deadlineMs: env.integer('ENCLAVE_DEADLINE_MS', { min: 100, max: 600_000 }, 10_000),
    mode,
    dstackEndpoint: env.has('DSTACK_ENDPOINT') ? env.text('DSTACK_ENDPOINT') : undefined,
    sealingVersions: parseSealingVersions(env),
    quotes: {
      concurrent: env.integer('ENCLAVE_QUOTES_CONCURRENT', { min: 1, max: 64 }, 8),
      queued: env.integer('ENCLAVE_QUOTES_QUEUED', { min: 0, max: 10_000 }, 256),
    },
    rememberedRequests: env.integer('ENCLAVE_REMEMBERED_REQUESTS', { min: 100, max: 10_000_000 }, 200_000),
    coordinators: { roots: snpRoots, releases, simulated: mode.simulated },
    trust,
    policy: parsePolicy(env, trust),
  }
  env.finish()
  return config
}

function parsePolicy(env: EnvReader, { minimum, freshnessSeconds }: EntropyTrust): SigningPolicy {
  const chainIds = [...new Set(env.list('ENCLAVE_CHAIN_IDS').map(Number))]
  if (!chainIds.every((id) => Number.isSafeInteger(id) && id > 0)) {
    env.problem('ENCLAVE_CHAIN_IDS must be a list of chain ids')
  }
  return {
    version: 1,
    transactionTypes: ['eip1559'],
    messageSchemes: ['eip191', 'eip712'],
    chainIds: chainIds.sort((a, b) => a - b),
    maxFeePerGas: env.decimal('ENCLAVE_MAX_FEE_PER_GAS', '10000000000000'), // 10,000 gwei
    maxFee: env.decimal('ENCLAVE_MAX_FEE', '1000000000000000000'), // 1 ether
    maxValue: env.decimal('ENCLAVE_MAX_VALUE', '10000000000000000000000'), // 10,000 ether
    entropy: { minimum, maxAgeSeconds: freshnessSeconds },
    authorisation: 'statement-and-owners',
  }
}

function parseSealingVersions(env: EnvReader): number[] {
  const versions = env.list('ENCLAVE_SEALING_VERSIONS', '1').map(Number)
  const isVersion = (version: number) => Number.isInteger(version) && version >= 1 && version <= 255
  if (!versions.every(isVersion) || new Set(versions).size !== versions.length || versions.length === 0) {
    env.problem('ENCLAVE_SEALING_VERSIONS must be different numbers from 1 to 255, the one that seals first')
  }
  return versions
}

/** In a measured compose file the certificate itself stands where a path would lead outside. */
const isPem = (value: string) => value.startsWith('-----BEGIN CERTIFICATE-----')

function parseKeyHashes(env: EnvReader): string[] {
  const hashes = env.list('ENCLAVE_CLIENT_KEYS', '').map((hash) => hash.replace(/^0x/, '').toLowerCase())
  if (!hashes.every((hash) => /^[0-9a-f]{64}$/.test(hash))) {
    env.problem('ENCLAVE_CLIENT_KEYS must be a list of SHA-256 hashes of public keys')
  }
  return hashes
}
