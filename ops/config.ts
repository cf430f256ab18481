import { EnvReader, type Env } from '@perigee/core/config'
import type { Hex } from '@perigee/core'
import { parseChainReaderConfig, parseMinimumBalance, parseWalletRpcs } from '../clients/chain/config.js'
import { parseIpfsConfig } from '../clients/ipfs/config.js'
import { parseReleasesConfig } from '../clients/releases/config.js'
import { parseTemporalConfig } from '../temporal/index.js'

/** Reads what each command needs. Every reader throws a ConfigError that names all missing and wrong variables. */
export function createConfig(variables: Env) {
  function read<T>(parse: (env: EnvReader) => T): T {
    const env = new EnvReader(variables)
    const config = parse(env)
    env.finish()
    return config
  }
  return {
    production: variables['NODE_ENV'] === 'production',
    databaseUrl: () => read((env) => env.url('DATABASE_URL', ['postgres:', 'postgresql:'])),
    temporal: () => read(parseTemporalConfig),
    /** Reads addresses only, never a private key. */
    chain: () =>
      read((env) => ({
        chain: parseChainReaderConfig(env),
        publishers: env.list('PUBLISHER_ADDRESSES', '').map((address) => address.toLowerCase() as Hex),
        minimumBalanceWei: parseMinimumBalance(env),
      })),
    ipfs: () => read(parseIpfsConfig),
    /** The contract of lists of builds, the key that must have signed them, and the list that the service uses. */
    releases: () =>
      read((env) => ({
        contract: parseReleasesConfig(env),
        publicKey: env.text('MEASUREMENTS_PUBLIC_KEY') as Hex,
        file: env.text('MEASUREMENTS_FILE', '') || null,
      })),
    /** Only to compare with: a list can be signed where nothing else is configured. */
    releaseKey: () => (variables['MEASUREMENTS_PUBLIC_KEY'] as Hex | undefined) || null,
    /** Read by nothing but the commands that send the owner's transaction, and never printed. */
    releasesOwnerKey: () => variables['RELEASES_OWNER_KEY'] ?? null,
    /** Where workers keep verified collateral, if that is at hand; null otherwise. */
    collateralDir: () => read((env) => (env.has('COLLATERAL_DIR') ? env.text('COLLATERAL_DIR') : null)),
    sealingVersion: () => read((env) => env.integer('SEALING_VERSION', { min: 1, max: 255 }, 1)),
    walletRpcs: () => read((env) => parseWalletRpcs(env, parseChainReaderConfig(env))),
  }
}

export type OpsConfig = ReturnType<typeof createConfig>
