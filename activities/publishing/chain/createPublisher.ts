import { randomUUID } from 'node:crypto'
import type { DataSource } from 'typeorm'
import { keccak256 } from 'viem'
import { privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { ServiceError, type Hex } from '@perigee/core'
import {
  addTransaction,
  asOwnerOf,
  countInFlight,
  lowestUnminedSlot,
  nextNonce,
  openSlot,
  reopenSlot,
  slotTransactions,
  type PublisherSlot,
  type PublisherTransaction,
  type WaitingProof,
} from '../../../database/index.js'
import { publishCalldata, type Chain } from './createChain.js'

interface Fees {
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}

/** The owner of the publishing keys: gives nonces, signs, sends, and offers more when the chain will not take it. */
export function createPublisher(database: DataSource, chain: Chain) {
  const { chainId, contract, maxFeePerGasCap } = chain.config
  const accounts = chain.config.publisherKeys.map((key) => privateKeyToAccount(key))
  const senderOf = (account: PrivateKeyAccount) => account.address.toLowerCase() as Hex

  async function sign(slot: PublisherSlot, fees: Fees): Promise<PublisherTransaction> {
    const account = accounts.find((candidate) => senderOf(candidate) === slot.sender)
    if (!account) {
      throw new ServiceError('chain_unavailable', 'the key of an open nonce is not configured', { sender: slot.sender })
    }
    const raw = await account.signTransaction({
      type: 'eip1559',
      chainId,
      nonce: slot.nonce,
      to: contract,
      data: slot.calldata,
      gas: BigInt(slot.gas),
      ...fees,
    })
    return {
      txHash: keccak256(raw),
      slotId: slot.id,
      raw,
      maxFeePerGas: String(fees.maxFeePerGas),
      maxPriorityFeePerGas: String(fees.maxPriorityFeePerGas),
      createdAt: new Date().toISOString(),
    }
  }

  async function send(transaction: PublisherTransaction): Promise<void> {
    const { outcome, message } = await chain.broadcast(transaction.raw)
    if (outcome === 'no-funds') {
      throw new ServiceError('publisher_balance_low', `the publishing account cannot pay: ${message ?? ''}`)
    }
    // Everything else is settled by looking: mined, waiting, or to be offered again with higher fees.
  }

  /** The account with room for one more transaction, least busy first; null when all are full. */
  async function accountWithRoom(): Promise<{ account: PrivateKeyAccount; mined: number } | null> {
    let best: { account: PrivateKeyAccount; mined: number; inFlight: number } | null = null
    for (const account of accounts) {
      const mined = await chain.minedCount(senderOf(account))
      const inFlight = await countInFlight(database, chainId, senderOf(account), mined)
      if (inFlight < chain.config.maxInFlight && (!best || inFlight < best.inFlight))
        best = { account, mined, inFlight }
    }
    return best
  }

  return {
    /**
     * Gives the proofs one nonce and sends their transaction. Null when every key has enough in flight, or when another
     * worker was faster: look again. Signed and stored before it is sent, so that a crash can only repeat the sending.
     */
    async open(proofs: readonly WaitingProof[]): Promise<PublisherSlot | null> {
      const free = await accountWithRoom()
      if (!free) return null
      const sender = senderOf(free.account)
      const calldata = publishCalldata(proofs)
      const [gas, offered, balance] = await Promise.all([
        chain.estimateGas(sender, calldata),
        chain.fees(),
        chain.balance(sender),
      ])
      const fees = capped(offered, maxFeePerGasCap)
      if (balance < gas * fees.maxFeePerGas) {
        throw new ServiceError('publisher_balance_low', 'the publishing account cannot pay for the transaction', {
          sender,
          balanceWei: String(balance),
          neededWei: String(gas * fees.maxFeePerGas),
        })
      }
      const opened = await asOwnerOf(database, chainId, sender, async (manager) => {
        const slot: PublisherSlot = {
          id: randomUUID(),
          chainId,
          sender,
          nonce: await nextNonce(manager, chainId, sender, free.mined),
          state: 'open',
          calldata,
          gas: String(gas),
          createdAt: new Date().toISOString(),
        }
        const transaction = await sign(slot, fees)
        const slugs = proofs.map(({ slug }) => slug)
        return (await openSlot(manager, slot, transaction, slugs)) ? { slot, transaction } : null
      })
      if (!opened) return null
      await send(opened.transaction)
      return opened.slot
    },

    /**
     * Keeps a key's queue moving, whoever's transaction stands first in it: sends that one again, and after a while
     * with higher fees on the same nonce. Safe to call from anywhere, any number of times.
     */
    async tend(sender: Hex): Promise<void> {
      const mined = await chain.minedCount(sender)
      const slot = await lowestUnminedSlot(database, chainId, sender, mined)
      const transactions = slot ? await slotTransactions(database, slot.id) : []
      const [newest] = transactions
      if (!slot || !newest) return
      if (slot.state === 'confirmed') {
        // Either this RPC lags behind the one that showed us the block, or the block is gone.
        if (await chain.findMined(transactions.map(({ txHash }) => txHash))) return
        await reopenSlot(database, slot.id)
      }
      if (Date.now() - Date.parse(newest.createdAt) < chain.config.bumpAfterMs) return send(newest)
      const offered = await chain.fees()
      const bumped = await asOwnerOf(database, chainId, sender, async (manager) => {
        const [latest] = await slotTransactions(manager, slot.id)
        if (!latest || latest.txHash !== newest.txHash) return null // another worker has just done it
        const fees = replacementFees(latest, offered, maxFeePerGasCap)
        if (!fees) return null
        const transaction = await sign(slot, fees)
        await addTransaction(manager, transaction)
        return transaction
      })
      await send(bumped ?? newest)
    },
  }
}

export type Publisher = ReturnType<typeof createPublisher>

function capped({ maxFeePerGas, maxPriorityFeePerGas }: Fees, cap: bigint): Fees {
  const max = maxFeePerGas < cap ? maxFeePerGas : cap
  return { maxFeePerGas: max, maxPriorityFeePerGas: maxPriorityFeePerGas < max ? maxPriorityFeePerGas : max }
}

/**
 * Fees that replace a waiting transaction: nodes want at least a tenth more of both, we give an eighth, or what the
 * market asks if that is more. Null when the cap leaves no room for it: then the old offer stands.
 */
export function replacementFees(
  old: { maxFeePerGas: string; maxPriorityFeePerGas: string },
  offered: Fees,
  cap: bigint,
): Fees | null {
  const atLeast = (value: string) => (BigInt(value) * 9n) / 8n + 1n
  const max = (a: bigint, b: bigint) => (a > b ? a : b)
  const tip = max(atLeast(old.maxPriorityFeePerGas), offered.maxPriorityFeePerGas)
  const fee = max(max(atLeast(old.maxFeePerGas), offered.maxFeePerGas), tip)
  if (fee <= cap) return { maxFeePerGas: fee, maxPriorityFeePerGas: tip }
  return atLeast(old.maxFeePerGas) <= cap && tip <= cap ? { maxFeePerGas: cap, maxPriorityFeePerGas: tip } : null
}
