import { parseFormerContracts, type EnvReader } from '@perigee/core/config'
import type { Hex } from '@perigee/core'
import { chainDefaults, type ChainConfig } from './ChainConfig.js'

/** The publishing chain. Private keys are checked for form only, and never named in a problem. */
export function parseChainConfig(env: EnvReader): ChainConfig {
  const keys = env.list('PUBLISHER_PRIVATE_KEYS')
  const publisherKeys = keys.filter((key): key is Hex => /^0x[0-9a-fA-F]{64}$/.test(key))
  if (publisherKeys.length < keys.length) {
    env.problem('PUBLISHER_PRIVATE_KEYS must be a list of 32-byte keys in hex, with 0x')
  }
  return { ...parseChainReaderConfig(env), publisherKeys }
}

/** The same without keys, for programs that only read. */
export function parseChainReaderConfig(env: EnvReader): ChainConfig {
  const contract = env.text('CONTRACT_ADDRESS')
  if (contract && !/^0x[0-9a-fA-F]{40}$/.test(contract)) env.problem('CONTRACT_ADDRESS must be an address')
  const { maxFeePerGasCap, reorgDepth, bumpAfterMs, pollMs, maxInFlight, maxBatch, batchDelayMs } = chainDefaults
  const most = Number.MAX_SAFE_INTEGER
  const gwei = 10n ** 9n
  const capGwei = env.integer('CHAIN_MAX_FEE_GWEI', { min: 1, max: 100_000 }, Number(maxFeePerGasCap / gwei))
  return {
    ...chainDefaults,
    chainId: env.integer('CHAIN_ID', { min: 1, max: most }),
    rpcUrls: env.urls('CHAIN_RPC_URLS'),
    contract: contract.toLowerCase() as Hex,
    contractBlock: env.integer('CONTRACT_BLOCK', { min: 0, max: most }, 0),
    formerContracts: parseFormerContracts(env),
    publisherKeys: [],
    confirmations: env.integer('CHAIN_CONFIRMATIONS', { min: 1, max: 1000 }, 3),
    reorgDepth: env.integer('CHAIN_REORG_DEPTH', { min: 1, max: 10_000 }, reorgDepth),
    maxFeePerGasCap: BigInt(capGwei || 0) * gwei,
    bumpAfterMs: env.integer('CHAIN_BUMP_AFTER_MS', { min: 100, max: 3_600_000 }, bumpAfterMs),
    pollMs: env.integer('CHAIN_POLL_MS', { min: 20, max: 60_000 }, pollMs),
    maxInFlight: env.integer('CHAIN_MAX_IN_FLIGHT', { min: 1, max: 64 }, maxInFlight),
    maxBatch: env.integer('CHAIN_MAX_BATCH', { min: 1, max: 200 }, maxBatch),
    // Far below the half hour that a publication may take (workflows/publishing/publishingBudgets.ts).
    batchDelayMs: env.integer('CHAIN_BATCH_DELAY_MS', { min: 0, max: 600_000 }, batchDelayMs),
  }
}

/** Wei below which a publishing key counts as low, well before it cannot pay. */
export function parseMinimumBalance(env: EnvReader): bigint {
  const text = env.decimal('PUBLISHER_MIN_BALANCE_WEI', '20000000000000000')
  return /^[0-9]+$/.test(text) ? BigInt(text) : 0n
}

/**
 * RPCs of the chains that wallets sign for, by chain id: `11155111=https://…,84532=https://…`. A chain may be named
 * several times, and the publishing chain's own RPCs count too.
 */
export function parseWalletRpcs(env: EnvReader, publishing: Pick<ChainConfig, 'chainId' | 'rpcUrls'>) {
  const byChain = new Map([[publishing.chainId, [...publishing.rpcUrls]]])
  for (const item of env.list('WALLET_RPC_URLS', '')) {
    const [, chain, url] = /^([1-9][0-9]{0,14})=(https?:\/\/.+)$/.exec(item) ?? []
    if (!chain || !url || !URL.canParse(url)) env.problem('WALLET_RPC_URLS must be a list of chain=URL')
    else byChain.set(Number(chain), [...(byChain.get(Number(chain)) ?? []), url])
  }
  return byChain
}

/** Seconds after which a receipt is published although no RPC has seen its transaction. 0: do not wait. */
export function parsePublishUnsentAfter(env: EnvReader): number {
  return env.integer('PUBLISH_UNSENT_AFTER', { min: 0, max: 86_400 }, 900)
}
