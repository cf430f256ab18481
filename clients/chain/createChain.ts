import { LRUCache } from 'lru-cache'
import {
  BaseError,
  encodeFunctionData,
  isAddressEqual,
  pad,
  parseEventLogs,
  type PublicClient,
  type TransactionReceipt,
} from 'viem'
import { ServiceError, type Hex } from '@perigee/core'
import { attestationPublished } from '@perigee/core/proof'
import { serviceAttestationsAbi } from '../../contracts/abi/ServiceAttestations.js'
import type { OnchainPlace, WaitingProof } from '../../database/index.js'
import { eventRange, type ChainConfig } from './ChainConfig.js'
import { createBroadcast } from './createBroadcast.js'
import { createQuorum } from './rpc/createQuorum.js'
import { createRpcs, requestTimeoutMs } from './rpc/createRpcs.js'
import { readLogs } from './readLogs.js'
import { placeOf } from './receipts.js'

/** EIP-1559, in wei. */
export interface Fees {
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}

/** Fees and balances move slowly: an answer is used for this long. */
const cacheMs = 1_000

/** The chain as the publisher sees it. Throws `chain_unavailable` when no RPC answers. Holds no key. */
export function createChain(config: ChainConfig) {
  const { contract } = config
  const ours = eventRange(config)
  const rpcs = createRpcs(config)
  let searched = { since: Infinity, first: 0n, block: 0n }

  const head = () => rpcs.first((client) => client.getBlockNumber())

  const balance = (sender: Hex) => rpcs.first((client) => client.getBalance({ address: sender }))

  const balances = new LRUCache<Hex, bigint>({ max: 100, ttl: cacheMs, fetchMethod: balance })

  /** What the market asks. Twice the base fee stays valid through six full blocks (each may raise it by an eighth). */
  const fees = new LRUCache<'fees', Fees>({
    max: 1,
    ttl: cacheMs,
    fetchMethod: () =>
      rpcs.first(async (client) => {
        const [{ baseFeePerGas }, tip] = await Promise.all([client.getBlock(), client.estimateMaxPriorityFeePerGas()])
        return { maxFeePerGas: 2n * (baseFeePerGas ?? 0n) + tip, maxPriorityFeePerGas: tip }
      }),
  })

  /**
   * A block from before this time, or the `first` that can hold an event; one found for the last two hours is used again. Starts at
   * the head and doubles its steps, because an RPC may have dropped old blocks.
   */
  async function blockBefore(sinceMs: number, first: bigint): Promise<bigint> {
    const isRecent = sinceMs >= searched.since && sinceMs < searched.since + 7_200_000
    if (isRecent && searched.first === first) return searched.block
    const block = await rpcs.first(async (client) => {
      const isBefore = async (blockNumber: bigint) =>
        Number((await client.getBlock({ blockNumber })).timestamp) * 1000 <= sinceMs
      let high = await client.getBlockNumber()
      let low = high
      for (let step = 1n; low > first && !(await isBefore(low)); step *= 2n) {
        high = low - 1n
        low = low - step > first ? low - step : first
      }
      while (low < high) {
        const middle = (low + high + 1n) / 2n
        if (await isBefore(middle)) low = middle
        else high = middle - 1n
      }
      return low
    })
    searched = { since: sinceMs, first, block }
    return block
  }

  /** Of our contract, of those before it, and of those that the receipts name: nobody may have listed these. */
  async function logsSince(proofs: readonly Pick<WaitingProof, 'txHash' | 'createdAt' | 'contract'>[]) {
    const contracts = [...new Set([...ours.contract, ...proofs.map((proof) => proof.contract)])]
    const isUnlisted = contracts.some((one) => !ours.contract.includes(one))
    const since = Math.min(...proofs.map(({ createdAt }) => createdAt.getTime())) - 3_600_000
    const fromBlock = await blockBefore(since, isUnlisted ? 0n : ours.fromBlock)
    const txHashes = proofs.map(({ txHash }) => txHash)
    const read = (client: PublicClient) =>
      readLogs(client, { contract: contracts, fromBlock, toBlock: 'latest', txHashes })
    return (await rpcs.all(read)).flat()
  }

  return {
    config,
    rpcs,
    head,
    ...createQuorum(config, rpcs),
    /** Transactions of this account that are in blocks, as one RPC counts them. */
    minedCount: (sender: Hex) => rpcs.first((client) => client.getTransactionCount({ address: sender })),
    /** The same with those in any node's mempool that can be mined next. */
    pendingCount: async (sender: Hex): Promise<number> => {
      const ask = { address: sender, blockTag: 'pending' } as const
      return Math.max(...(await rpcs.all((client) => client.getTransactionCount(ask))))
    },
    balance,
    /** False also when the contract has no such function, or there is none: it is not ours. */
    async isPublisher(sender: Hex): Promise<boolean> {
      const question = { abi: serviceAttestationsAbi, functionName: 'isPublisher', args: [sender] } as const
      return rpcs.first(async (client) => {
        try {
          // viem's `readContract` calls an RPC's internal error a revert, and cannot read a foreign contract's short answer
          const { data } = await client.call({ to: contract, data: encodeFunctionData(question) })
          return data === pad('0x01')
        } catch (error) {
          if (isRevert(error)) return false
          throw error
        }
      })
    },
    /** For choosing a key: nodes still refuse a transaction that cannot be paid. */
    recentBalance: (sender: Hex): Promise<bigint> => balances.forceFetch(sender),
    fees: (): Promise<Fees> => fees.forceFetch('fees'),

    /** Gas for the call. Throws `publish_reverted` for a call that would revert, before it costs a nonce. */
    async estimateGas(sender: Hex, data: Hex): Promise<bigint> {
      return rpcs.first(async (client) => {
        try {
          // viem's own action prepares a whole transaction first
          const gas = await client.request({
            method: 'eth_estimateGas',
            params: [{ from: sender, to: contract, data }],
          })
          return (BigInt(gas) * 12n) / 10n
        } catch (error) {
          if (isRevert(error)) {
            throw new ServiceError('publish_reverted', 'the contract refuses the call', { contract, sender }, error)
          }
          throw error
        }
      })
    },

    broadcast: createBroadcast(config.rpcUrls, requestTimeoutMs),

    /**
     * Events that exist already, by slug. Asks every RPC, because this keeps a proof from a second event. Searches from
     * one hour before the oldest of the proofs was signed.
     */
    async findEvents(proofs: readonly WaitingProof[]): Promise<Map<string, OnchainPlace>> {
      const logs = await logsSince(proofs)
      const found = new Map<string, OnchainPlace>()
      for (const proof of proofs) {
        const log = logs.find(({ args }) => isEventOf(args, proof))
        if (log) found.set(proof.slug, placeOf(log))
      }
      return found
    },

    /** The receipt that the chain names for this wallet and hash; null when it names none. Asks every RPC, for the same reason. */
    async publishedCid(proof: Pick<WaitingProof, 'wallet' | 'txHash' | 'createdAt' | 'contract'>) {
      const logs = await logsSince([proof])
      return logs.find(({ args }) => isAddressEqual(args.wallet, proof.wallet))?.args.ipfsCid ?? null
    },

    /** The event for this proof inside a mined transaction, by a contract of ours or the one that its receipt names. */
    eventIn(receipt: TransactionReceipt, proof: Published & Pick<WaitingProof, 'contract'>): OnchainPlace | null {
      const isOurs = (address: Hex) =>
        [...ours.contract, proof.contract].some((known) => isAddressEqual(address, known))
      const logs = parseEventLogs({ abi: [attestationPublished], logs: receipt.logs })
      const log = logs.find(({ address, args }) => isOurs(address) && isEventOf(args, proof))
      return log ? placeOf(log) : null
    },
  }
}

export type Chain = ReturnType<typeof createChain>

type Published = Pick<WaitingProof, 'wallet' | 'txHash' | 'cid'>

function isEventOf(args: { wallet: Hex; txHash: Hex; ipfsCid: string }, { wallet, txHash, cid }: Published): boolean {
  return isAddressEqual(args.wallet, wallet) && args.txHash === txHash && args.ipfsCid === cid
}

function isRevert(error: unknown): boolean {
  return (
    error instanceof BaseError && error.walk((e) => /revert/i.test((e as Error).name + (e as Error).message)) !== null
  )
}
