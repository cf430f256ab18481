import type { DataSource, EntityManager } from 'typeorm'
import type { Hex } from '@perigee/core'
import {
  PublisherSlotEntity,
  PublisherTransactionEntity,
  type PublisherSlot,
  type PublisherTransaction,
} from '../entities/Publisher.js'

type Db = DataSource | EntityManager

/** A proof that is pinned and waits for its event. */
export interface WaitingProof {
  slug: string
  wallet: Hex
  txHash: Hex
  cid: string
}

/**
 * Runs `work` as the only one, in any process, that allocates nonces or signs for this key. The lock ends with the
 * transaction, so a killed process cannot keep it.
 */
export function asOwnerOf<T>(
  db: DataSource,
  chainId: number,
  sender: Hex,
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  return db.transaction(async (manager) => {
    await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`publisher/${chainId}/${sender}`])
    return work(manager)
  })
}

/** The slot that carries this proof, if it may still bring it, or has brought it, on the chain. */
export async function findLiveSlot(db: Db, slug: string): Promise<PublisherSlot | null> {
  return db
    .getRepository(PublisherSlotEntity)
    .createQueryBuilder('s')
    .innerJoin('publications', 'p', 'p.slot_id = s.id')
    .where('p.slug = :slug', { slug })
    .andWhere("s.state IN ('open', 'confirmed')")
    .getOne()
}

const waiting = `
  SELECT p.slug, w.address AS wallet, t.tx_hash AS "txHash", p.cid
    FROM publications p JOIN transactions t ON t.slug = p.slug JOIN wallets w ON w.id = t.wallet_id
    LEFT JOIN publisher_slots s ON s.id = p.slot_id`

/** This proof, unless a live slot has it, and others that wait with it, oldest first. */
export function findWaiting(db: Db, slug: string, limit: number): Promise<WaitingProof[]> {
  return db.query<WaitingProof[]>(
    `${waiting}
      WHERE p.status = 'pending_onchain' AND p.cid IS NOT NULL
        AND (p.slot_id IS NULL OR (p.slug = $1 AND s.state IN ('reverted', 'lost')))
      ORDER BY p.slug <> $1, p.created_at LIMIT $2`,
    [slug, limit],
  )
}

/** Unmined slots of a key: those at or above the number of its transactions that the chain has counted. */
export async function countInFlight(db: Db, chainId: number, sender: Hex, minedCount: number): Promise<number> {
  const [row] = await db.query<{ count: string }[]>(
    `SELECT count(*) FROM publisher_slots WHERE chain_id = $1 AND sender = $2 AND state = 'open' AND nonce >= $3`,
    [chainId, sender, minedCount],
  )
  return Number(row?.count ?? 0)
}

/** Call under `asOwnerOf`. Never a nonce that we have given out, never one that the chain has seen used. */
export async function nextNonce(db: Db, chainId: number, sender: Hex, minedCount: number): Promise<number> {
  const [row] = await db.query<{ next: string | null }[]>(
    'SELECT max(nonce) + 1 AS next FROM publisher_slots WHERE chain_id = $1 AND sender = $2',
    [chainId, sender],
  )
  return Math.max(Number(row?.next ?? 0), minedCount)
}

/** Gives the proofs to a new slot with its first signed transaction. False when another worker took one of them first. */
export async function openSlot(
  manager: EntityManager,
  slot: PublisherSlot,
  transaction: PublisherTransaction,
  slugs: readonly string[],
): Promise<boolean> {
  const free = await manager.query<unknown[]>(
    `SELECT p.slug FROM publications p
      WHERE p.slug = ANY($1) AND p.status = 'pending_onchain'
        AND (p.slot_id IS NULL OR p.slot_id IN (SELECT id FROM publisher_slots WHERE state IN ('reverted', 'lost')))
        FOR UPDATE`,
    [slugs],
  )
  if (free.length !== slugs.length) return false
  await manager.insert(PublisherSlotEntity, slot)
  await manager.insert(PublisherTransactionEntity, transaction)
  await manager.query('UPDATE publications SET slot_id = $1 WHERE slug = ANY($2)', [slot.id, slugs])
  return true
}

/** Every transaction signed for a slot, newest first. */
export function slotTransactions(db: Db, slotId: string): Promise<PublisherTransaction[]> {
  return db.getRepository(PublisherTransactionEntity).find({ where: { slotId }, order: { createdAt: 'DESC' } })
}

/**
 * The slot with the lowest nonce that the chain has not counted: the one that holds up all the others. Usually it is
 * open; a confirmed one is there when the chain has lost its block.
 */
export function lowestUnminedSlot(
  db: Db,
  chainId: number,
  sender: Hex,
  minedCount: number,
): Promise<PublisherSlot | null> {
  return db
    .getRepository(PublisherSlotEntity)
    .createQueryBuilder('s')
    .where("s.chain_id = :chainId AND s.sender = :sender AND s.state IN ('open', 'confirmed')", { chainId, sender })
    .andWhere('s.nonce >= :minedCount', { minedCount })
    .orderBy('s.nonce')
    .getOne()
}

/** The chain has lost the slot's block: its proofs are not published any more, and its transaction must be mined again. */
export async function reopenSlot(db: DataSource, id: string): Promise<string[]> {
  return db.transaction(async (manager) => {
    await manager.query(`UPDATE publisher_slots SET state = 'open' WHERE id = $1 AND state = 'confirmed'`, [id])
    const [rows] = await manager.query<[{ slug: string }[], number]>(
      `UPDATE publications SET status = 'pending_onchain', status_since = now(), onchain_tx_hash = NULL,
              onchain_block_number = NULL, onchain_block_hash = NULL
        WHERE slot_id = $1 AND status = 'complete' RETURNING slug`,
      [id],
    )
    return rows.map(({ slug }) => slug)
  })
}

/** Blocks that hold events of proofs completed in the last `seconds`, with the slots that put them there. */
export async function recentBlocks(
  db: Db,
  chainId: number,
  seconds: number,
): Promise<{ blockNumber: number; blockHash: Hex; slotIds: string[] }[]> {
  const rows = await db.query<{ number: string; hash: Hex; slots: string[] }[]>(
    `SELECT p.onchain_block_number AS number, p.onchain_block_hash AS hash, array_agg(DISTINCT p.slot_id) AS slots
       FROM publications p JOIN publisher_slots s ON s.id = p.slot_id
      WHERE p.status = 'complete' AND s.chain_id = $1 AND p.status_since > now() - make_interval(secs => $2)
      GROUP BY 1, 2 ORDER BY 1`,
    [chainId, seconds],
  )
  return rows.map(({ number, hash, slots }) => ({ blockNumber: Number(number), blockHash: hash, slotIds: slots }))
}

export async function addTransaction(manager: EntityManager, transaction: PublisherTransaction): Promise<void> {
  await manager.insert(PublisherTransactionEntity, transaction)
}

/** A slot ends once: only an open one can. */
export async function closeSlot(db: Db, id: string, state: 'confirmed' | 'reverted' | 'lost'): Promise<void> {
  await db.query(`UPDATE publisher_slots SET state = $2 WHERE id = $1 AND state = 'open'`, [id, state])
}
