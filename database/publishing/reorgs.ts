import { In, type DataSource } from 'typeorm'
import type { Hex } from '@perigee/core'
import { PublicationEntity } from '../entities/Publication.js'
import { PublisherSlotEntity } from '../entities/Publisher.js'
import { carriesProofs } from './slots.js'

/** Not published any more, and to be mined again. */
const unpublished = {
  status: 'pending_onchain',
  statusSince: () => 'now()',
  onchainTxHash: null,
  onchainBlockNumber: null,
  onchainBlockHash: null,
} as const

/** A reorg removed the slot's block: it and its proofs are open again. False when it carries no proofs. */
export async function reopenSlot(db: DataSource, id: string): Promise<boolean> {
  return db.transaction(async (manager) => {
    await manager.findOne(PublisherSlotEntity, { where: { id }, lock: { mode: 'pessimistic_write' } })
    if (!(await carriesProofs(manager, id))) return false
    await manager.update(PublisherSlotEntity, { id }, { state: 'open' })
    await manager.update(PublicationEntity, { slotId: id, status: 'complete' }, unpublished)
    return true
  })
}

/** A reorg removed this block: the proofs published in it, whose slugs are returned, and their slots are open again. */
export async function reopenBlock(db: DataSource, blockHash: Hex): Promise<string[]> {
  return db.transaction(async (manager) => {
    const lost = { onchainBlockHash: blockHash, status: 'complete' } as const
    const carried = await manager.find(PublicationEntity, { select: { slotId: true, slug: true }, where: lost })
    const slots = carried.flatMap(({ slotId }) => slotId ?? [])
    await manager.update(PublisherSlotEntity, { id: In(slots), state: 'confirmed' }, { state: 'open' })
    const update = manager.createQueryBuilder().update(PublicationEntity).set(unpublished).where(lost)
    const { raw } = (await update.returning('slug').execute()) as { raw: { slug: string }[] }
    return raw.map(({ slug }) => slug)
  })
}

// SQL: a union, so that each half uses its own index.
const recentSql = `
  SELECT DISTINCT p.onchain_block_number AS "blockNumber", p.onchain_block_hash AS "blockHash"
    FROM (SELECT * FROM publications WHERE status = 'complete' AND onchain_block_number >= $3
           UNION SELECT * FROM publications
           WHERE status = 'complete' AND status_since > now() - make_interval(secs => $2)) p
    JOIN attestations a ON a.slug = p.slug
   WHERE (a.anchors->'publication'->>'chainId')::bigint = $1 ORDER BY 1`

/** Blocks that hold events of proofs completed in the last `seconds`, or that are at or above `fromBlock`. */
export function recentBlocks(
  db: DataSource,
  chainId: number,
  { seconds, fromBlock }: { seconds: number; fromBlock: number },
): Promise<{ blockNumber: number; blockHash: Hex }[]> {
  return db.query(recentSql, [chainId, seconds, fromBlock])
}
