import type { TransactionReceipt } from 'viem'
import type { Hex } from '@perigee/core'
import type { ChainConfig } from '../ChainConfig.js'
import { createFinality } from '../createFinality.js'
import type { Rpcs } from './createRpcs.js'
import { hashOf, hasPublished, receiptsOf } from '../receipts.js'

/**
 * What the RPCs together say about a receipt. `confirmed`: at depth, and most RPCs show block and receipt. `pending`: not
 * at depth yet. `reorged`: no RPC has its block any more. `disputed`: RPCs contradict each other.
 */
type Confirmation = { is: 'confirmed' | 'pending' | 'reorged' } | { is: 'disputed'; between: string }

interface Votes {
  pro: string[]
  contra: string[]
}

/** What several RPCs agree on. None is believed alone when another contradicts it. */
export function createQuorum(config: Pick<ChainConfig, 'confirmations' | 'reorgDepth' | 'rpcUrls'>, rpcs: Rpcs) {
  const finality = createFinality(config.reorgDepth)

  /** RPCs that show this block, and RPCs that show another at its height; one that has not reached it abstains. */
  async function voteOnBlock(blockNumber: bigint, blockHash: Hex, onPro?: () => void): Promise<Votes> {
    const shown = await rpcs.each(async (client) => {
      const hash = await hashOf(client, blockNumber)
      if (hash === blockHash) onPro?.()
      return hash === null ? null : hash === blockHash
    })
    return count(shown)
  }

  /** RPCs that show this receipt, so that no single one can invent success or failure; one that lags abstains. */
  async function voteOnReceipt(receipt: TransactionReceipt): Promise<Votes> {
    const { transactionHash, blockHash, blockNumber, status, logs } = receipt
    const shown = await rpcs.each(async (client) => {
      const [found] = await receiptsOf(client, [transactionHash])
      if (!found) return (await hashOf(client, blockNumber)) === null ? null : false
      return found.blockHash === blockHash && found.status === status && found.logs.length === logs.length
    })
    return count(shown)
  }

  return {
    /**
     * Receipts of these transactions, one for each block in which some RPC shows one. Of transactions with one nonce only
     * one can stand; a second comes from a node that still serves a reorged block, or from one that lies.
     */
    async findMined(hashes: readonly Hex[]): Promise<TransactionReceipt[]> {
      const found = (await rpcs.all((client) => receiptsOf(client, hashes))).flat()
      return [...new Map(found.map((receipt) => [receipt.blockHash, receipt])).values()]
    },

    /** A node may still serve a receipt after a reorg took its block: the block counts. */
    async confirmationOf(receipt: TransactionReceipt): Promise<Confirmation> {
      const { blockNumber, blockHash } = receipt
      // Read the head before the block. A block that exists has one confirmation: only more need counting.
      const isDeep =
        config.confirmations <= 1 ||
        (await rpcs.first((client) => client.getBlockNumber())) + 1n - blockNumber >= BigInt(config.confirmations)
      const block = await voteOnBlock(blockNumber, blockHash)
      if (block.pro.length === 0) return { is: 'reorged' }
      if (block.pro.length <= block.contra.length) return disputed(`block ${blockNumber} is ${blockHash}`, block)
      if (!isDeep) return { is: 'pending' }
      if (config.rpcUrls.length === 1) return { is: 'confirmed' } // no other RPC to ask
      const shown = await voteOnReceipt(receipt)
      if (shown.pro.length > shown.contra.length) return { is: 'confirmed' }
      return disputed(`${receipt.transactionHash} has ${receipt.status} in block ${blockNumber}`, shown)
    },

    /** True when RPCs show another block at its height, and none shows this one. One that shows it decides: the others are not awaited. */
    isReorged: (blockNumber: bigint, blockHash: Hex): Promise<boolean> =>
      new Promise((resolve, reject) => {
        voteOnBlock(blockNumber, blockHash, () => resolve(false)).then(
          ({ pro, contra }) => resolve(pro.length === 0 && contra.length > 0),
          reject,
        )
      }),

    /** The transactions of this account that are in blocks, as far as most RPCs count them. */
    async agreedCount(sender: Hex): Promise<number> {
      const counts = await rpcs.all((client) => client.getTransactionCount({ address: sender }))
      return counts.sort((a, b) => b - a)[Math.floor(counts.length / 2)] ?? 0
    },

    /** True when no reorg can replace the block at this height any more. */
    isFinal: (blockNumber: bigint) => rpcs.first(async (client) => blockNumber <= (await finality.height(client))),

    /**
     * True when a nonce is permanently used, and by nothing that has published: its block is final, and it is none of our
     * transactions, unless that one failed. Reads our hashes after it has seen the nonce used, so one of ours that used it
     * is among them. This is the only answer that lets a proof move to another nonce.
     */
    async isSpent(sender: Hex, nonce: number, readHashes: () => Promise<readonly Hex[]>): Promise<boolean> {
      const views = await rpcs.all(async (client) => {
        const final = await finality.usedAt(client, sender, nonce)
        if (final === null) return 'unused'
        for (const mined of await receiptsOf(client, await readHashes())) {
          if ((await hashOf(client, mined.blockNumber)) !== mined.blockHash) continue // its block was reorged
          if (mined.blockNumber > final || hasPublished(mined)) return 'ours'
        }
        return 'spent'
      })
      const countOf = (view: string) => views.filter((one) => one === view).length
      return countOf('ours') === 0 && countOf('spent') > countOf('unused')
    },
  }
}

function count(answers: readonly { rpc: string; answer: boolean | null }[]): Votes {
  const rpcsThatSaid = (vote: boolean) => answers.filter(({ answer }) => answer === vote).map(({ rpc }) => rpc)
  return { pro: rpcsThatSaid(true), contra: rpcsThatSaid(false) }
}

function disputed(claim: string, { pro, contra }: Votes): Confirmation {
  return { is: 'disputed', between: `${pro.join(', ')}: ${claim}; ${contra.join(', ')}: not so` }
}
