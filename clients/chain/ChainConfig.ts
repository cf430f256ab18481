import type { Hex } from '@perigee/core'

/** The chain that carries the events, and the keys that publish there. */
export interface ChainConfig {
  chainId: number
  /** Tried in order, those that lag behind last; a transaction is sent to all of them. */
  rpcUrls: readonly string[]
  contract: Hex
  /** Block of the contract's deployment: no event of ours is older. */
  contractBlock: number
  publisherKeys: readonly Hex[]
  /** 1 is "in a block". */
  confirmations: number
  /** Blocks below the head in which the events of complete proofs are looked after: deeper reorganisations are for people. */
  reorgDepth: number
  /** Wei. Neither a first offer nor a bump goes above it. */
  maxFeePerGasCap: bigint
  /** An unmined transaction older than this is offered again with higher fees. */
  bumpAfterMs: number
  pollMs: number
  /** How long an RPC may be away, or RPCs may contradict each other, before an attempt to publish fails for it. */
  patienceMs: number
  /** Unmined transactions per key. When they are out, proofs gather, and the next transaction takes them all. */
  maxInFlight: number
  maxBatch: number
}

export const chainDefaults = {
  reorgDepth: 64,
  maxFeePerGasCap: 200_000_000_000n,
  bumpAfterMs: 45_000,
  pollMs: 1_000,
  patienceMs: 20_000,
  maxInFlight: 4,
  maxBatch: 32,
} as const satisfies Partial<ChainConfig>
