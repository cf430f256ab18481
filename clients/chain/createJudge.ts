import type { TransactionReceipt } from 'viem'
import type { Hex } from '@perigee/core'
import type { ChainConfig } from './ChainConfig.js'
import { createFinality } from './createFinality.js'
import type { Rpcs } from './createRpcs.js'
import { hashOf, hasPublished, receiptsOf } from './receipts.js'

/**
 * How a receipt stands. `final`: at depth, and most RPCs show block and receipt. `young`: not at depth yet. `gone`: no RPC
 * has its block any more, so it is as if it had never been mined. `disputed`: RPCs contradict each other, and who is
 * right is not known.
 */
export type Standing = { is: 'final' | 'young' | 'gone' } | { is: 'disputed'; between: string }

/** What several RPCs together know for certain. Not one of them is believed alone when another contradicts it. */
export function createJudge(config: Pick<ChainConfig, 'confirmations' | 'reorgDepth' | 'rpcUrls'>, rpcs: Rpcs) {
  const finality = createFinality(config.reorgDepth)

  /** Who shows this very block, and who another in its place; those that are not there yet say nothing. */
  async function votes(blockNumber: bigint, blockHash: Hex): Promise<{ pro: string[]; contra: string[] }> {
    const shown = (await rpcs.each((client) => hashOf(client, blockNumber))).filter(({ said }) => said !== null)
    return split(shown.map(({ rpc, said }) => ({ rpc, said: said === blockHash })))
  }

  /** Who shows this very receipt, so that no single RPC can invent a success or a failure; one that lags says nothing. */
  async function sameReceipt(receipt: TransactionReceipt): Promise<{ pro: string[]; contra: string[] }> {
    const { transactionHash, blockHash, blockNumber, status, logs } = receipt
    const shown = await rpcs.each(async (client) => {
      const [found] = await receiptsOf(client, [transactionHash])
      if (!found) return (await hashOf(client, blockNumber)) === null ? null : false
      return found.blockHash === blockHash && found.status === status && found.logs.length === logs.length
    })
    return split(shown.flatMap(({ rpc, said }) => (said === null ? [] : [{ rpc, said }])))
  }

  return {
    /**
     * Receipts of these transactions, one for each block that some RPC shows one in. Of those that share a nonce only one
     * can stand; a second is shown by a node that has not forgotten a lost block, or by one that lies.
     */
    async findMined(hashes: readonly Hex[]): Promise<TransactionReceipt[]> {
      const found = (await rpcs.all((client) => receiptsOf(client, hashes))).flat()
      return [...new Map(found.map((receipt) => [receipt.blockHash, receipt])).values()]
    },

    /** A node may go on serving a receipt whose block a reorganisation took away: the block is what counts. */
    async standingOf(receipt: TransactionReceipt): Promise<Standing> {
      const { blockNumber, blockHash } = receipt
      // A block that is there has one confirmation: only more than that need counting, and before the block is looked at.
      const isDeep =
        config.confirmations <= 1 ||
        (await rpcs.first((client) => client.getBlockNumber())) + 1n - blockNumber >= BigInt(config.confirmations)
      const block = await votes(blockNumber, blockHash)
      if (block.pro.length === 0) return { is: 'gone' }
      if (block.pro.length <= block.contra.length) return disputed(`block ${blockNumber} is ${blockHash}`, block)
      if (!isDeep) return { is: 'young' }
      if (config.rpcUrls.length === 1) return { is: 'final' } // there is nobody else to ask
      const shown = await sameReceipt(receipt)
      if (shown.pro.length > shown.contra.length) return { is: 'final' }
      return disputed(`${receipt.transactionHash} has ${receipt.status} in block ${blockNumber}`, shown)
    },

    /** True when RPCs show another block in its place, and none shows it any more. */
    async hasVanished(blockNumber: bigint, blockHash: Hex): Promise<boolean> {
      const { pro, contra } = await votes(blockNumber, blockHash)
      return pro.length === 0 && contra.length > 0
    },

    /** True when this block, or one that has taken its height, cannot be taken back any more. */
    isBeyondReorganisation: (blockNumber: bigint) =>
      rpcs.first(async (client) => blockNumber <= (await finality.height(client))),

    /**
     * True when a nonce is used for ever, and by nothing that has published: not in any block that could still be taken
     * back, and by none of our transactions, unless it failed. Our hashes are read after the nonce was seen used, so what
     * used it is among them if it is ours. The only question whose answer lets a proof go to another nonce.
     */
    async isSpent(sender: Hex, nonce: number, readHashes: () => Promise<readonly Hex[]>): Promise<boolean> {
      const views = await rpcs.all(async (client) => {
        const final = await finality.usedAt(client, sender, nonce)
        if (final === null) return 'unused'
        for (const mined of await receiptsOf(client, await readHashes())) {
          if ((await hashOf(client, mined.blockNumber)) !== mined.blockHash) continue // of a lost block
          if (mined.blockNumber > final || hasPublished(mined)) return 'ours'
        }
        return 'spent'
      })
      const count = (view: string) => views.filter((one) => one === view).length
      return count('ours') === 0 && count('spent') > count('unused')
    },
  }
}

function split(answers: readonly { rpc: string; said: boolean }[]): { pro: string[]; contra: string[] } {
  const who = (said: boolean) => answers.filter((one) => one.said === said).map(({ rpc }) => rpc)
  return { pro: who(true), contra: who(false) }
}

function disputed(what: string, { pro, contra }: { pro: string[]; contra: string[] }): Standing {
  return { is: 'disputed', between: `${pro.join(', ')}: ${what}; ${contra.join(', ')}: not so` }
}
