import type { DataSource } from 'typeorm'
import type { Hex } from '@perigee/core'
import { slotTransactions, type NewSlot } from '../../../database/index.js'
import { createPublishingMeter, type PublishingMeter } from '../../createPublishingMeter.js'
import type { Chain } from '../createChain.js'
import { createRebroadcast } from './createRebroadcast.js'
import { createSlotOpener } from './createSlotOpener.js'
import { createTransactionSender } from './createTransactionSender.js'

/** The owner of the publishing keys: allocates nonces, signs, sends, rebroadcasts. */
export function createPublisher(database: DataSource, chain: Chain, meter: PublishingMeter = createPublishingMeter()) {
  const sender = createTransactionSender(chain)

  /** Every transaction ever signed for the slot: each may still be mined. */
  const hashesOf = async (slotId: string): Promise<Hex[]> =>
    (await slotTransactions(database, slotId)).map(({ txHash }) => txHash)

  const rebroadcast = createRebroadcast({ database, chain, sender, meter })

  return {
    ...createSlotOpener(database, chain, sender),
    senders: sender.senders,
    rebroadcast,
    hashesOf,

    /** For callers that no key has room for: nothing may follow what is in flight, because filled gaps have no proof and workers die. */
    async rebroadcastAll(): Promise<void> {
      for (const one of sender.senders) await rebroadcast(one)
    },

    /** True when the slot's nonce is permanently used, and not by a publication: its proofs may take another. */
    isSpent: ({ sender, nonce, id }: NewSlot) => chain.isSpent(sender, nonce, () => hashesOf(id)),
  }
}

export type Publisher = ReturnType<typeof createPublisher>
