import { In, type DataSource } from 'typeorm'
import type { Hex } from '@perigee/core'
import { AuditAnchorEntity } from '../entities/AuditEvent.js'
import { PublicationEntity } from '../entities/Publication.js'
import { PublisherSlotEntity } from '../entities/Publisher.js'
import { carriesPublication } from './slots.js'

const nowhere = { onchainTxHash: null, onchainBlockNumber: null, onchainBlockHash: null } as const
/** Not published any more, and to be mined again. */
const unpublished = { status: 'pending_onchain', statusSince: () => 'now()', ...nowhere } as const

/** A reorg removed the slot's block: it and what it carries are open again. False when it carries nothing. */
export async function reopenSlot(db: DataSource, id: string): Promise<boolean> {
  return db.transaction(async (manager) => {
    await manager.findOne(PublisherSlotEntity, { where: { id }, lock: { mode: 'pessimistic_write' } })
    if (!(await carriesPublication(manager, id))) return false
    await manager.update(PublisherSlotEntity, { id }, { state: 'open' })
    await manager.update(PublicationEntity, { slotId: id, status: 'complete' }, unpublished)
    await manager.update(AuditAnchorEntity, { slotId: id }, nowhere)
    return true
  })
}

/** A reorg removed this block: what was published in it is open again, with its slots. Returns the slugs of proofs. */
export async function reopenBlock(db: DataSource, blockHash: Hex): Promise<string[]> {
  return db.transaction(async (manager) => {
    const lost = { onchainBlockHash: blockHash, status: 'complete' } as const
    const carried = await manager.find(PublicationEntity, { select: { slotId: true, slug: true }, where: lost })
    const anchored = await manager.findBy(AuditAnchorEntity, { onchainBlockHash: blockHash })
    const slots = [...carried, ...anchored].flatMap(({ slotId }) => slotId ?? [])
    await manager.update(PublisherSlotEntity, { id: In(slots), state: 'confirmed' }, { state: 'open' })
    await manager.update(AuditAnchorEntity, { onchainBlockHash: blockHash }, nowhere)
    const update = manager.createQueryBuilder().update(PublicationEntity).set(unpublished).where(lost)
    const { raw } = (await update.returning('slug').execute()) as { raw: { slug: string }[] }
    return raw.map(({ slug }) => slug)
  })
}

// SQL: a union, so that each half uses its own index. It compares only these columns: a receipt has 20 kB.
const recentSql = `
  SELECT p.onchain_block_number AS "blockNumber", p.onchain_block_hash AS "blockHash"
    FROM (SELECT slug, onchain_block_number, onchain_block_hash FROM publications
           WHERE status = 'complete' AND onchain_block_number >= $3
           UNION SELECT slug, onchain_block_number, onchain_block_hash FROM publications
           WHERE status = 'complete' AND status_since > now() - make_interval(secs => $2)) p
    JOIN attestations a ON a.slug = p.slug
   WHERE (a.anchors->'publication'->>'chainId')::bigint = $1
   UNION
  SELECT h.onchain_block_number, h.onchain_block_hash
    FROM audit_anchors h JOIN publisher_slots s ON s.id = h.slot_id
   WHERE s.chain_id = $1 AND h.onchain_block_hash IS NOT NULL
     AND (h.onchain_block_number >= $3 OR h.at > now() - interval '2 days')
   ORDER BY 1 DESC`

/**
 * Blocks that hold events of proofs completed in the last `seconds`, of heads of the audit log read in the last two days (there
 * is one a day), or of either at or above `fromBlock`. Newest first.
 */
export function recentBlocks(
  db: DataSource,
  chainId: number,
  { seconds, fromBlock }: { seconds: number; fromBlock: number },
): Promise<{ blockNumber: number; blockHash: Hex }[]> {
  return db.query(recentSql, [chainId, seconds, fromBlock])
}
