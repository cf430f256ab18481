import { randomUUID } from 'node:crypto'
import type { DataSource } from 'typeorm'
import { parseTransaction } from 'viem'
import type { Hex } from '@perigee/core'
import {
  addTransaction,
  asOwnerOf,
  carriesPublication,
  collateralOfSlot,
  emptyCalldata,
  lowestUnminedSlot,
  openEmptySlot,
  reopenSlot,
  slotTransactions,
  type PublisherSlot,
  type PublisherTransaction,
} from '../../../database/index.js'
import { createCollateralAges } from '../../collateral/createCollateralAges.js'
import type { PublishingMeter } from '../../createPublishingMeter.js'
import type { Chain } from '../createChain.js'
import type { TransactionSender } from './createTransactionSender.js'
import { capped, replacementFees } from './replacementFees.js'

/** Gas of an empty transfer to oneself, on every EVM chain that counts gas as Ethereum does. */
const emptyGas = '21000'

/** Younger slots carry receipts that were fit for publication when they were opened, and have most of a day left. */
const checkAfterMs = 12 * 3600 * 1000

interface RebroadcastDeps {
  database: DataSource
  chain: Chain
  sender: TransactionSender
  meter: PublishingMeter
}

/** Keeps the transactions of a publishing key moving: sends again, bumps fees, fills nonce gaps. */
export function createRebroadcast({ database, chain, sender: { sign, send }, meter }: RebroadcastDeps) {
  const { chainId, maxFeePerGasCap, bumpAfterMs } = chain.config
  const ages = createCollateralAges(database)

  /**
   * Fills a nonce gap: a nonce below others that carries no publication of ours. Someone else's transaction let us start above
   * it, or its proofs left it (docs/publishing.md) and a reorg freed it again. Takes it with an empty transaction that
   * pays more than the last one sent on it, so that an old publication cannot come back beside the new one.
   */
  async function fillGap(sender: Hex, nonce: number, former: PublisherSlot | null): Promise<void> {
    const market = await chain.fees()
    const filled = await asOwnerOf(database, chainId, sender, async (manager) => {
      const now = await lowestUnminedSlot(manager, chainId, sender, nonce)
      if (!now || (former ? now.id !== former.id || now.state !== former.state : now.nonce === nonce)) return null
      if (former && (await carriesPublication(manager, former.id))) return null
      const slot: PublisherSlot = {
        id: former?.id ?? randomUUID(),
        chainId,
        sender,
        nonce,
        state: 'open',
        calldata: emptyCalldata,
        costWei: null,
        gas: emptyGas,
        createdAt: new Date().toISOString(),
      }
      const [newest] = former ? await slotTransactions(manager, former.id) : []
      const fees = newest ? replacementFees(newest, market, maxFeePerGasCap) : null
      const transaction = await sign(slot, fees ?? capped(market, maxFeePerGasCap))
      await openEmptySlot(manager, slot, transaction)
      return transaction
    })
    if (filled) await send(filled)
  }

  /** True when a receipt that the slot carries became too old while its transaction was not mined. */
  async function isOutdated(slot: PublisherSlot): Promise<boolean> {
    if (Date.now() - Date.parse(slot.createdAt) < checkAfterMs) return false
    for (const cid of await collateralOfSlot(database, slot.id)) if (await ages.isOutdated(cid)) return true
    return false
  }

  /** Null when another worker has just bumped it, or the cap allows no more. */
  async function bump(slot: PublisherSlot, newest: PublisherTransaction): Promise<PublisherTransaction | null> {
    const market = await chain.fees()
    const bumped = await asOwnerOf(database, chainId, slot.sender, async (manager) => {
      const [latest] = await slotTransactions(manager, slot.id)
      if (!latest || latest.txHash !== newest.txHash) return null
      const fees = replacementFees(latest, market, maxFeePerGasCap)
      if (!fees) return null
      const transaction = await sign(slot, fees)
      await addTransaction(manager, transaction)
      return transaction
    })
    if (bumped) meter.bumped(slot.sender)
    return bumped
  }

  /**
   * Sends the newest transaction of a slot again, with higher fees once it is old. A publication that became too old is not sent
   * again: an empty transfer takes its nonce, so that its proofs are free to be assembled again.
   */
  async function resend(slot: PublisherSlot): Promise<void> {
    const transactions = await slotTransactions(database, slot.id)
    const [newest] = transactions
    if (!newest) return
    if (slot.state !== 'open') {
      // Either this RPC lags behind the one that showed us the block, or a reorg took the block.
      for (const receipt of await chain.findMined(transactions.map(({ txHash }) => txHash))) {
        if (!(await chain.isReorged(receipt.blockNumber, receipt.blockHash))) return
      }
      // A slot that carried a publication carries it again: no other transaction may take its nonce.
      if (!(await reopenSlot(database, slot.id))) return fillGap(slot.sender, slot.nonce, slot)
    }
    const isPublication = parseTransaction(newest.raw).data !== undefined
    const outdated = isPublication ? await isOutdated(slot) : slot.calldata !== emptyCalldata
    const offer: PublisherSlot = outdated ? { ...slot, calldata: emptyCalldata, gas: emptyGas } : slot
    if (isPublication && outdated) {
      const cancellation = await bump(offer, newest)
      return cancellation ? send(cancellation) : undefined
    }
    const isOld = Date.now() - Date.parse(newest.createdAt) >= bumpAfterMs
    await send((isOld && (await bump(offer, newest))) || newest)
  }

  /**
   * Rebroadcasts the transaction with the key's lowest unmined nonce. Safe to call from anywhere, any number of times.
   * Returns the number of the key's mined transactions.
   */
  return async (sender: Hex): Promise<number> => {
    const mined = await chain.minedCount(sender)
    const slot = await lowestUnminedSlot(database, chainId, sender, mined)
    if (slot && slot.nonce > mined) await fillGap(sender, mined, null)
    else if (slot) await resend(slot)
    return mined
  }
}
