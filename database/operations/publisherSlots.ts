import { Any, MoreThan, type DataSource, type FindOptionsWhere } from 'typeorm'
import type { Hex } from '@perigee/core'
import { PublicationEntity } from '../entities/Publication.js'
import { PublisherSlotEntity, PublisherTransactionEntity, type PublisherSlot } from '../entities/Publisher.js'
import { inPages, pageSize } from './inPages.js'

/** Slots of a key in the order of their nonces, with the transactions signed for each and how many proofs it carries; only open ones when asked so. */
export async function* walkSlots(db: DataSource, chainId: number, sender: Hex, state: 'open' | 'any') {
  const read = (after: number) => {
    const where: FindOptionsWhere<PublisherSlot> = { chainId, sender, nonce: MoreThan(after) }
    if (state === 'open') where.state = state
    const select = { id: true, nonce: true, state: true, createdAt: true } as const
    return db.getRepository(PublisherSlotEntity).find({ select, where, order: { nonce: 'ASC' }, take: pageSize })
  }
  for await (const page of inPages(-1, ({ nonce }) => nonce, read)) {
    const slotId = Any(page.map(({ id }) => id))
    const select = { slotId: true, txHash: true } as const
    const transactions = await db.manager.find(PublisherTransactionEntity, { select, where: { slotId } })
    const carried = await db.manager.find(PublicationEntity, {
      select: { slotId: true, slug: true },
      where: { slotId },
    })
    for (const { id, nonce, state, createdAt } of page) {
      const hashes = transactions.filter((transaction) => transaction.slotId === id).map(({ txHash }) => txHash)
      const proofs = carried.filter((publication) => publication.slotId === id).length
      yield { nonce, state, hashes, proofs, since: new Date(createdAt) }
    }
  }
}

/** Keys that have ever published on this chain; only those with open slots when asked so. */
export async function findSenders(db: DataSource, chainId: number, state: 'open' | 'any' = 'any'): Promise<Hex[]> {
  const rows = await db
    .createQueryBuilder(PublisherSlotEntity, 'slot')
    .select('slot.sender', 'sender')
    .distinct()
    .where(state === 'open' ? { chainId, state } : { chainId })
    .getRawMany<{ sender: Hex }>()
  return rows.map(({ sender }) => sender)
}

/** Which of these transactions our publisher has signed. */
export async function findPublisherTransactions(db: DataSource, txHashes: readonly Hex[]): Promise<Set<Hex>> {
  const select = { txHash: true } as const
  const found = await db.manager.find(PublisherTransactionEntity, { select, where: { txHash: Any(txHashes) } })
  return new Set(found.map(({ txHash }) => txHash))
}
