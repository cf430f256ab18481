import { BaseError, isAddressEqual, parseEventLogs, type TransactionReceipt } from 'viem'
import { ServiceError, type Hex } from '@perigee/core'
import { attestationPublished } from '@perigee/core/proof'
import type { OnchainPlace, WaitingProof } from '../../database/index.js'
import type { ChainConfig } from './ChainConfig.js'
import { createBroadcast } from './createBroadcast.js'
import type { Fees } from './fees.js'
import { createJudge } from './createJudge.js'
import { createRpcs, requestTimeoutMs } from './createRpcs.js'
import { readLogs } from './readLogs.js'

/** What moves slowly may have been asked up to a second ago. */
const servesMs = 1_000

/** The chain as the publisher sees it. What cannot be asked is `chain_unavailable`; nothing here holds a key. */
export function createChain(config: ChainConfig) {
  const { contract } = config
  const rpcs = createRpcs(config)
  let searched = { since: Infinity, block: 0n }

  const head = () => rpcs.first((client) => client.getBlockNumber())

  const balance = (sender: Hex) => rpcs.first((client) => client.getBalance({ address: sender }))

  /** A block from before this time, found by halving; one found in the last two hours serves again. */
  async function blockBefore(sinceMs: number): Promise<bigint> {
    if (sinceMs >= searched.since && sinceMs < searched.since + 7_200_000) return searched.block
    const found = await rpcs.first(async (client) => {
      let [low, high] = [BigInt(config.contractBlock), await client.getBlockNumber()]
      while (low < high) {
        const middle = (low + high + 1n) / 2n
        const { timestamp } = await client.getBlock({ blockNumber: middle })
        if (Number(timestamp) * 1000 <= sinceMs) low = middle
        else high = middle - 1n
      }
      return low
    })
    searched = { since: sinceMs, block: found }
    return found
  }

  return {
    config,
    rpcs,
    head,
    ...createJudge(config, rpcs),
    /** Transactions of this account that are in blocks. */
    minedCount: (sender: Hex) => rpcs.first((client) => client.getTransactionCount({ address: sender })),
    balance,
    /** For the choice of a key. A transaction that cannot be paid after all is refused when it is sent. */
    recentBalance: lately(balance),

    /** What the market asks. */
    fees: lately((): Promise<Fees> =>
      rpcs.first(async (client) => {
        const [{ baseFeePerGas }, tip] = await Promise.all([client.getBlock(), client.estimateMaxPriorityFeePerGas()])
        // Twice the base fee stays valid through six full blocks in a row (each may raise it by an eighth).
        return { maxFeePerGas: 2n * (baseFeePerGas ?? 0n) + tip, maxPriorityFeePerGas: tip }
      }),
    ),

    /** Gas for the call, tried out first: a call that would revert throws `publish_reverted` and costs no nonce. */
    async estimateGas(sender: Hex, data: Hex): Promise<bigint> {
      return rpcs.first(async (client) => {
        try {
          // Not viem's own, which first prepares a whole transaction.
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
     * Where the contract has already said it, by slug. Every RPC is asked, because this is what keeps a proof from a
     * second event; and only blocks since the oldest of the proofs was signed, give or take an hour, can have one.
     */
    async findEvents(proofs: readonly WaitingProof[]): Promise<Map<string, OnchainPlace>> {
      const since = Math.min(...proofs.map(({ createdAt }) => Date.parse(createdAt))) - 3_600_000
      const fromBlock = await blockBefore(since)
      const txHashes = proofs.map(({ txHash }) => txHash)
      const answers = await rpcs.all((client) => readLogs(client, { contract, fromBlock, toBlock: 'latest', txHashes }))
      const found = new Map<string, OnchainPlace>()
      for (const proof of proofs) {
        const log = answers.flat().find(({ args }) => isSaid(args, proof))
        if (log) found.set(proof.slug, place(log))
      }
      return found
    },

    /** The event for this proof inside a mined transaction. */
    eventIn(receipt: TransactionReceipt, proof: Pick<WaitingProof, 'wallet' | 'txHash' | 'cid'>): OnchainPlace | null {
      const logs = parseEventLogs({ abi: [attestationPublished], logs: receipt.logs })
      const log = logs.find(({ address, args }) => isAddressEqual(address, contract) && isSaid(args, proof))
      return log ? place(log) : null
    },
  }
}

export type Chain = ReturnType<typeof createChain>

/** The answer of a moment ago serves again; a question that failed is asked anew. */
function lately<A extends string[], T>(ask: (...about: A) => Promise<T>): (...about: A) => Promise<T> {
  const known = new Map<string, { at: number; answer: T }>()
  return async (...about) => {
    const key = about.join()
    const found = known.get(key)
    if (found && Date.now() - found.at < servesMs) return found.answer
    const answer = await ask(...about)
    known.set(key, { at: Date.now(), answer })
    return answer
  }
}

function isSaid(
  args: { wallet: Hex; txHash: Hex; ipfsCid: string },
  { wallet, txHash, cid }: Pick<WaitingProof, 'wallet' | 'txHash' | 'cid'>,
): boolean {
  return isAddressEqual(args.wallet, wallet) && args.txHash === txHash && args.ipfsCid === cid
}

function place(log: { transactionHash: Hex; blockNumber: bigint; blockHash: Hex }): OnchainPlace {
  return {
    onchainTxHash: log.transactionHash,
    onchainBlockNumber: Number(log.blockNumber),
    onchainBlockHash: log.blockHash,
  }
}

function isRevert(error: unknown): boolean {
  return (
    error instanceof BaseError && error.walk((e) => /revert/i.test((e as Error).name + (e as Error).message)) !== null
  )
}
