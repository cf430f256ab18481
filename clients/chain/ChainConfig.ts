import type { Hex } from '@perigee/core'
import type { DeployedContract } from '@perigee/core/config'

/** The chain that carries the events, and the keys that publish there. */
export interface ChainConfig {
  chainId: number
  /** Asked in order, those that lag last; a transaction is sent to all of them. */
  rpcUrls: readonly string[]
  contract: Hex
  /** Block of the contract's deployment: no event of ours is older. */
  contractBlock: number
  /** Those before it on the same chain. Readers still expect their events; nothing is published with them. */
  formerContracts: readonly DeployedContract[]
  publisherKeys: readonly Hex[]
  /** 1 is "in a block". */
  confirmations: number
  /** Blocks below the head in which the events of complete proofs are watched; deeper reorgs need a person. */
  reorgDepth: number
  /** Wei. Neither the first fee nor a bump exceeds it; an empty transfer that must take a nonce may, by an eighth. */
  maxFeePerGasCap: bigint
  /** An unmined transaction older than this gets a fee bump. */
  bumpAfterMs: number
  pollMs: number
  /** How long RPCs may be down, or contradict each other, before an attempt to publish fails. */
  maxOutageMs: number
  /** Unmined transactions per key. At the limit proofs wait, and the next transaction takes them all. */
  maxInFlight: number
  maxBatch: number
  /** How long a proof may wait for others to share its transaction with. */
  batchDelayMs: number
}

export type ContractsConfig = Pick<ChainConfig, 'contract' | 'contractBlock' | 'formerContracts'>

/** The contract and those before it, each once: of two entries the first counts. */
export function allContracts({ contract, contractBlock, formerContracts }: ContractsConfig): DeployedContract[] {
  const all = [{ contract, block: contractBlock }, ...formerContracts]
  return all.filter((one, index) => all.findIndex((other) => other.contract === one.contract) === index)
}

/** Where events of ours can be: on which contracts, and since which block. */
export function eventRange(config: ContractsConfig): { contract: Hex[]; fromBlock: bigint } {
  const contracts = allContracts(config)
  return {
    contract: contracts.map(({ contract }) => contract),
    fromBlock: BigInt(Math.min(...contracts.map(({ block }) => block))),
  }
}

export const chainDefaults = {
  formerContracts: [],
  reorgDepth: 64,
  maxFeePerGasCap: 200_000_000_000n,
  bumpAfterMs: 45_000,
  pollMs: 1_000,
  maxOutageMs: 20_000,
  maxInFlight: 4,
  maxBatch: 32,
  batchDelayMs: 0,
} as const satisfies Partial<ChainConfig>
