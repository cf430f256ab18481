import { randomUUID } from 'node:crypto'
import type { DataSource, EntityManager } from 'typeorm'
import { ServiceError, type Hex } from '@perigee/core'
import {
  addTransaction,
  asOwnerOf,
  carriesProofs,
  closeEmptySlots,
  countInFlight,
  emptyCalldata,
  lowestUnminedSlot,
  openEmptySlot,
  openSlot,
  reopenSlot,
  slotTransactions,
  type PublisherSlot,
  type PublisherTransaction,
  type WaitingProof,
} from '../../database/index.js'
import { createPublishingMeter, type PublishingMeter } from '../PublishingMeter.js'
import { createAccount } from './createAccount.js'
import type { Chain } from './createChain.js'
import { capped, replacementFees, type Fees } from './fees.js'
import { publishCalldata } from './publishCalldata.js'

/** What sending nothing to oneself costs, on every EVM chain that counts gas as Ethereum does. */
const emptyGas = '21000'

/** An account with room for one more transaction. */
export interface Candidate {
  sender: Hex
  mined: number
  /** The nonce after all that were given out or used, unless another worker is just taking it. */
  nonce: number
  count: number
  /** What is left of the balance when all that is in flight has been paid. */
  freeWei: bigint
}

/** A slot that this process has just opened, with the only transaction signed for it so far. */
export interface OpenedSlot extends PublisherSlot {
  sent: Hex
}

/** Each failed try is a nonce that another worker got; who loses so often may as well wait for the next look. */
const maxTries = 5

/** The owner of the publishing keys: gives nonces, signs, sends, and offers more when the chain will not take it. */
export function createPublisher(database: DataSource, chain: Chain, meter: PublishingMeter = createPublishingMeter()) {
  const { chainId, contract, maxFeePerGasCap } = chain.config
  const accounts = chain.config.publisherKeys.map(createAccount)

  function sign(slot: PublisherSlot, fees: Fees): PublisherTransaction {
    const account = accounts.find(({ sender }) => sender === slot.sender)
    if (!account) {
      throw new ServiceError('chain_unavailable', 'the key of an open nonce is not configured', { sender: slot.sender })
    }
    const isEmpty = slot.calldata === emptyCalldata
    const signed = account.sign({
      type: 'eip1559',
      chainId,
      nonce: slot.nonce,
      to: isEmpty ? slot.sender : contract,
      data: slot.calldata,
      gas: BigInt(slot.gas),
      ...fees,
    })
    return {
      ...signed,
      slotId: slot.id,
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

  /** The accounts with room for one more transaction, least busy first. */
  async function accountsWithRoom(): Promise<Candidate[]> {
    const candidates = await Promise.all(
      accounts.map(async ({ sender }): Promise<Candidate> => {
        const [mined, balance] = await Promise.all([chain.minedCount(sender), chain.recentBalance(sender)])
        const { count, wei, next } = await countInFlight(database, chainId, sender, mined)
        return { sender, mined, nonce: Math.max(next, mined), count, freeWei: balance - wei }
      }),
    )
    return candidates
      .filter(({ count }) => count < chain.config.maxInFlight)
      .sort((a, b) => a.count - b.count || Number(b.freeWei > a.freeWei) - Number(a.freeWei > b.freeWei))
  }

  /** The first of them that can pay; a key without money is passed over as long as another has some. */
  async function chooseAccount(
    candidates: readonly Candidate[],
    calldata: Hex,
    offered: Fees,
  ): Promise<(Candidate & { gas: bigint; fees: Fees }) | null> {
    const fees = capped(offered, maxFeePerGasCap)
    let poorest: ServiceError | null = null
    for (const candidate of candidates) {
      const gas = await chain.estimateGas(candidate.sender, calldata)
      if (candidate.freeWei >= gas * fees.maxFeePerGas) return { ...candidate, gas, fees }
      poorest ??= new ServiceError('publisher_balance_low', 'the publishing account cannot pay for the transaction', {
        sender: candidate.sender,
        balanceWei: String(candidate.freeWei),
        neededWei: String(gas * fees.maxFeePerGas),
      })
    }
    if (poorest) throw poorest
    return null
  }

  /**
   * A nonce below others that carries no proof of ours: somebody else's transaction let us start above it, or it lost its
   * proofs for good (docs/publishing.md) and the chain has taken even that back. An empty transaction takes it, paid
   * better than what was offered for it before, so that an old publication does not come back beside the new one.
   */
  async function fill(sender: Hex, nonce: number, former: PublisherSlot | null): Promise<void> {
    const offered = await chain.fees()
    const filled = await asOwnerOf(database, chainId, sender, async (manager) => {
      const now = await lowestUnminedSlot(manager, chainId, sender, nonce)
      if (!now || (former ? now.id !== former.id || now.state !== former.state : now.nonce === nonce)) return null
      if (former && (await carriesProofs(manager, former.id))) return null
      const id = former?.id ?? randomUUID()
      const slot: PublisherSlot = {
        ...{ id, chainId, sender, nonce, state: 'open', calldata: emptyCalldata, gas: emptyGas },
        createdAt: new Date().toISOString(),
      }
      const [newest] = former ? await slotTransactions(manager, former.id) : []
      const fees = newest ? replacementFees(newest, offered, maxFeePerGasCap) : capped(offered, maxFeePerGasCap)
      const transaction = sign(slot, fees ?? capped(offered, maxFeePerGasCap))
      await openEmptySlot(manager, slot, transaction)
      return transaction
    })
    if (filled) await send(filled)
  }

  async function bump(slot: PublisherSlot, newest: PublisherTransaction): Promise<PublisherTransaction | null> {
    const offered = await chain.fees()
    const bumped = await asOwnerOf(database, chainId, slot.sender, async (manager: EntityManager) => {
      const [latest] = await slotTransactions(manager, slot.id)
      if (!latest || latest.txHash !== newest.txHash) return null // another worker has just done it
      const fees = replacementFees(latest, offered, maxFeePerGasCap)
      if (!fees) return null
      const transaction = sign(slot, fees)
      await addTransaction(manager, transaction)
      return transaction
    })
    if (bumped) meter.bumped(slot.sender)
    return bumped
  }

  /** Offers the transaction of the lowest nonce that the chain has not counted. */
  async function push(slot: PublisherSlot): Promise<void> {
    const [newest] = await slotTransactions(database, slot.id)
    if (!newest) return
    if (slot.state !== 'open') {
      // Either this RPC lags behind the one that showed us the block, or the block is gone.
      for (const receipt of await chain.findMined(await hashesOf(slot.id))) {
        if (!(await chain.hasVanished(receipt.blockNumber, receipt.blockHash))) return
      }
      // What carried proofs carries them again, however it had ended: no other transaction may take their nonce.
      if (!(await reopenSlot(database, slot.id))) return fill(slot.sender, slot.nonce, slot)
    }
    const isOld = Date.now() - Date.parse(newest.createdAt) >= chain.config.bumpAfterMs
    await send((isOld && (await bump(slot, newest))) || newest)
  }

  const hashesOf = async (slotId: string): Promise<Hex[]> =>
    (await slotTransactions(database, slotId)).map(({ txHash }) => txHash)

  return {
    /** Lower case. */
    senders: accounts.map(({ sender }) => sender),

    /** Asked before anything dearer is. */
    accountsWithRoom,

    /**
     * Gives the proofs one nonce and sends their transaction. Null when every key has enough in flight, or when another
     * worker was faster: look again. Signed and stored before it is sent, so that a crash can only repeat the sending.
     * `formerId`: the spent slot that one of the proofs leaves.
     */
    async open(
      proofs: readonly WaitingProof[],
      room: readonly Candidate[],
      formerId: string | null,
    ): Promise<OpenedSlot | null> {
      const calldata = publishCalldata(proofs)
      const chosen = await chooseAccount(room, calldata, await chain.fees())
      if (!chosen) return null
      const { sender, mined, gas, fees } = chosen
      const slugs = proofs.map(({ slug }) => slug)
      for (let { nonce } = chosen, tries = 0; tries < maxTries; tries++) {
        const slot: PublisherSlot = {
          ...{ id: randomUUID(), chainId, sender, nonce, state: 'open', calldata, gas: String(gas) },
          createdAt: new Date().toISOString(),
        }
        const transaction = sign(slot, fees)
        const due = await openSlot(database, slot, transaction, { slugs, formerId, minedCount: mined })
        if (due === null) return null
        if (due === nonce) {
          await send(transaction)
          return { ...slot, sent: transaction.txHash }
        }
        nonce = due // another worker has just taken the one before
      }
      return null
    },

    /**
     * Keeps a key's queue moving, whoever's transaction stands first in it: sends that one again, and after a while
     * with higher fees on the same nonce. Safe to call from anywhere, any number of times. Gives how many of the key's
     * transactions the chain has counted.
     */
    async tend(sender: Hex): Promise<number> {
      const mined = await chain.minedCount(sender)
      const slot = await lowestUnminedSlot(database, chainId, sender, mined)
      if (slot && slot.nonce > mined) await fill(sender, mined, null)
      else if (slot) await push(slot)
      return mined
    },

    /** True when the slot's nonce is used for ever, and not by a publication: its proofs may have another. */
    isSpent: ({ sender, nonce, id }: PublisherSlot) => chain.isSpent(sender, nonce, () => hashesOf(id)),

    /** Every transaction that was ever signed for the slot: all of them may still be mined. */
    hashesOf,

    /** Ends empty slots whose nonce is used up. Only for the eye: in the queue they have no meaning any more. */
    closeEmpty: (sender: Hex, minedCount: number) => closeEmptySlots(database, chainId, sender, minedCount),
  }
}

export type Publisher = ReturnType<typeof createPublisher>
