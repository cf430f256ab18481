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
  type NewTransaction,
  type PublisherSlot,
} from '../../../database/index.js'
import { createCollateralAges } from '../../collateral/createCollateralAges.js'
import type { PublishingMeter } from '../../createPublishingMeter.js'
import type { Chain, Fees } from '../createChain.js'
import { newSlot, type TransactionSender } from './createTransactionSender.js'
import { cancellationFees, capped, covers, replacementFees } from './replacementFees.js'

/** To oneself, with the gas that it takes on every EVM chain that counts gas as Ethereum does. */
const emptyTransfer = { calldata: emptyCalldata, gas: '21000' } as const

/** Younger slots carry receipts that were fit for publication when they were opened, and have most of a day left. */
const checkAfterMs = 12 * 3600 * 1000

/** An offer of this many times what the market asks is not bumped. */
const ampleTimes = 2n

interface RebroadcastDeps {
  database: DataSource
  chain: Chain
  sender: TransactionSender
  meter: PublishingMeter
}

/** Keeps the transactions of a publishing key moving: sends again, bumps fees, fills nonce gaps. */
export function createRebroadcast({ database, chain, sender: { senders, sign, send }, meter }: RebroadcastDeps) {
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
      const empty = newSlot({ chainId, sender, nonce }, emptyTransfer)
      const slot = { ...empty, id: former?.id ?? empty.id }
      const [newest] = former ? await slotTransactions(manager, former.id) : []
      const fees = newest ? cancellationFees(newest, market, maxFeePerGasCap) : capped(market, maxFeePerGasCap)
      const transaction = await sign(slot, fees)
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

  /** Signs and stores another offer for the nonce. Null when another worker has just done so, or `choose` gives no fees. */
  async function replace(
    slot: PublisherSlot,
    newest: NewTransaction,
    choose: (latest: NewTransaction) => Fees | null,
  ): Promise<NewTransaction | null> {
    const replacement = await asOwnerOf(database, chainId, slot.sender, async (manager) => {
      const [latest] = await slotTransactions(manager, slot.id)
      if (!latest || latest.txHash !== newest.txHash) return null
      const fees = choose(latest)
      if (!fees) return null
      // Where the first one went: our contract may have changed since, and the receipts name that one.
      const transaction = await sign(slot, fees, parseTransaction(latest.raw).to ?? undefined)
      await addTransaction(manager, transaction)
      return transaction
    })
    if (replacement) meter.bumped(slot.sender)
    return replacement
  }

  /** Takes the nonce with an empty transfer. */
  async function cancel(slot: PublisherSlot, newest: NewTransaction): Promise<void> {
    const market = await chain.fees()
    const cancellation = await replace(slot, newest, (latest) => cancellationFees(latest, market, maxFeePerGasCap))
    if (cancellation) await send(cancellation)
  }

  /**
   * Higher fees. An offer of twice what the market asks stays as it is: then it is not the fee that keeps it from being mined. So
   * does one that the market accepts when the account cannot pay for more.
   */
  async function bump(slot: PublisherSlot, newest: NewTransaction): Promise<NewTransaction | null> {
    const [market, balanceWei] = await Promise.all([chain.fees(), chain.recentBalance(slot.sender)])
    return replace(slot, newest, (latest) => {
      if (covers(latest, market, ampleTimes)) return null
      const fees = replacementFees(latest, market, maxFeePerGasCap)
      const isPayable = fees !== null && BigInt(slot.gas) * fees.maxFeePerGas <= balanceWei
      return isPayable || !covers(latest, market, 1n) ? fees : null
    })
  }

  /**
   * Sends the newest transaction of a slot again, with higher fees once it is old and if its key is configured. A
   * publication that became too old is not sent again: an empty transfer takes its nonce, so that its proofs are free to be
   * assembled again.
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
    const offer: PublisherSlot = outdated ? { ...slot, ...emptyTransfer } : slot
    if (isPublication && outdated) return cancel(offer, newest)
    const isOld = newest.ageMs >= bumpAfterMs
    const canBump = isOld && senders.includes(slot.sender)
    await send((canBump && (await bump(offer, newest))) || newest)
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
