import type { EnvReader } from '@perigee/core/config'
import type { Hex } from '@perigee/core'
import type { ReleasesConfig } from './createReleases.js'

/** Where lists of builds are announced, on the publishing chain. */
export function parseReleasesPlace(env: EnvReader): { contract: Hex; block: number } {
  const contract = env.text('RELEASES_ADDRESS')
  if (contract && !/^0x[0-9a-fA-F]{40}$/.test(contract)) env.problem('RELEASES_ADDRESS must be an address')
  const block = env.integer('RELEASES_BLOCK', { min: 0, max: Number.MAX_SAFE_INTEGER }, 0)
  return { contract: contract.toLowerCase() as Hex, block }
}

/** The same for programs that announce. */
export function parseReleasesConfig(env: EnvReader): ReleasesConfig {
  return {
    chainId: env.integer('CHAIN_ID', { min: 1, max: Number.MAX_SAFE_INTEGER }),
    rpcUrls: env.urls('CHAIN_RPC_URLS'),
    contract: parseReleasesPlace(env).contract,
    confirmations: env.integer('CHAIN_CONFIRMATIONS', { min: 1, max: 1000 }, 3),
    pollMs: env.integer('CHAIN_POLL_MS', { min: 20, max: 60_000 }, 1_000),
    waitMs: 600_000,
  }
}
