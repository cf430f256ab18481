import type { DataSource, EntityManager } from 'typeorm'
import type { Hex } from '@perigee/core'
import {
  PublisherSlotEntity,
  PublisherTransactionEntity,
  type PublisherSlot,
  type PublisherTransaction,
} from '../entities/Publisher.js'
import { ask, findRows, prepared, toRow } from '../prepared.js'

type Db = DataSource | EntityManager

/** A proof that is pinned and waits for its event. */
export interface WaitingProof {
  slug: string
  wallet: Hex
  txHash: Hex
  cid: string
  createdAt: Date
  /** The slot that carries it, or that it may leave. */
  slotId: string | null
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

/** The slot that carries this proof; null before it has one. */
export async function findSlotOf(db: Db, slug: string): Promise<PublisherSlot | null> {
  const rest = 'JOIN publications p ON p.slot_id = t.id WHERE p.slug = $1'
  const [slot] = await findRows(db, PublisherSlotEntity, 'find_slot_of', rest, [slug])
  return slot ?? null
}

/** Slots of a key that have not ended, the lowest nonces first. */
export function findOpenSlots(db: Db, chainId: number, sender: Hex, limit: number): Promise<PublisherSlot[]> {
  return db.getRepository(PublisherSlotEntity).find({
    where: { chainId, sender, state: 'open' },
    order: { nonce: 'ASC' },
    take: limit,
  })
}

export async function carriesProofs(db: Db, slotId: string): Promise<boolean> {
  return (await db.query<unknown[]>('SELECT 1 FROM publications WHERE slot_id = $1 LIMIT 1', [slotId])).length > 0
}

const waiting = `
  SELECT p.slug, w.address AS wallet, t.tx_hash AS "txHash", p.cid, p.created_at AS "createdAt", p.slot_id AS "slotId"
    FROM publications p JOIN transactions t ON t.slug = p.slug JOIN wallets w ON w.id = t.wallet_id
    LEFT JOIN publisher_slots s ON s.id = p.slot_id`

/** A proof with a pinned receipt, whatever its state; null when there is none under this slug. */
export async function findPinned(db: DataSource, slug: string): Promise<WaitingProof | null> {
  const text = `${waiting} WHERE p.slug = $1 AND p.cid IS NOT NULL`
  return (await prepared<WaitingProof>(db, 'find_pinned', text, [slug]))[0] ?? null
}

/** This proof, unless a live slot has it, and others that wait with it, oldest first. */
export function findWaiting(db: DataSource, slug: string, limit: number): Promise<WaitingProof[]> {
  return prepared<WaitingProof>(
    db,
    'find_waiting',
    `${waiting}
      WHERE p.status = 'pending_onchain' AND p.cid IS NOT NULL
        AND (p.slot_id IS NULL OR (p.slug = $1 AND s.state IN ('reverted', 'lost')))
      ORDER BY p.slug <> $1, p.created_at LIMIT $2`,
    [slug, limit],
  )
}

/**
 * Unmined slots of a key, those at or above the number of its transactions that the chain has counted, their price, and
 * the nonce after the last that was given out.
 */
export async function countInFlight(
  db: DataSource,
  chainId: number,
  sender: Hex,
  minedCount: number,
): Promise<{ count: number; wei: bigint; next: number }> {
  const [row] = await prepared<{ count: string; wei: string; next: string | null }>(
    db,
    'count_in_flight',
    `SELECT count(*), coalesce(sum(s.gas::numeric * t.fee), 0)::text AS wei,
            (SELECT max(nonce) + 1 FROM publisher_slots WHERE chain_id = $1 AND sender = $2) AS next
       FROM publisher_slots s
       LEFT JOIN LATERAL (SELECT max(max_fee_per_gas::numeric) AS fee FROM publisher_transactions WHERE slot_id = s.id) t ON true
      WHERE s.chain_id = $1 AND s.sender = $2 AND s.state = 'open' AND s.nonce >= $3`,
    [chainId, sender, minedCount],
  )
  return { count: Number(row?.count ?? 0), wei: BigInt(row?.wei ?? 0), next: Number(row?.next ?? 0) }
}

/**
 * Gives the proofs to a new slot with its first signed transaction. Answers the nonce that is next for the key: the slot
 * is open when that is its own, and nothing has happened when it is another. Null when another worker took one of the
 * proofs first, or when the slot that one of them had (`formerId`) is open again. See the migration `open-slot`.
 */
export async function openSlot(
  db: Db,
  slot: PublisherSlot,
  transaction: PublisherTransaction,
  { slugs, formerId, minedCount }: { slugs: readonly string[]; formerId: string | null; minedCount: number },
): Promise<number | null> {
  const text = `SELECT open_publisher_slot(jsonb_populate_record(NULL::publisher_slots, $1),
    jsonb_populate_record(NULL::publisher_transactions, $2), $3, $4, $5) AS due`
  const rows = [toRow(PublisherSlotEntity, slot), toRow(PublisherTransactionEntity, transaction)]
  const [answer] = await ask<{ due: string | null }>(db, 'open_slot', text, [...rows, slugs, formerId, minedCount])
  const due = answer?.due ?? null
  return due === null ? null : Number(due)
}

/** Every transaction signed for a slot, newest first. */
export function slotTransactions(db: Db, slotId: string): Promise<PublisherTransaction[]> {
  const rest = 'WHERE t.slot_id = $1 ORDER BY t.created_at DESC'
  return findRows(db, PublisherTransactionEntity, 'slot_transactions', rest, [slotId])
}

/**
 * The slot with the lowest nonce that the chain has not counted: the one that holds up all the others. Usually it is
 * open; one that had ended is there when the chain has lost its block.
 */
export async function lowestUnminedSlot(
  db: Db,
  chainId: number,
  sender: Hex,
  minedCount: number,
): Promise<PublisherSlot | null> {
  const rest = 'WHERE t.chain_id = $1 AND t.sender = $2 AND t.nonce >= $3 ORDER BY t.nonce LIMIT 1'
  const [slot] = await findRows(db, PublisherSlotEntity, 'lowest_unmined_slot', rest, [chainId, sender, minedCount])
  return slot ?? null
}

/** A slot that carries nothing: it only uses its nonce up, so that those above it can be mined. */
export const emptyCalldata = '0x'

/** Gives a nonce that carries no proofs to an empty slot. */
export async function openEmptySlot(
  manager: EntityManager,
  slot: PublisherSlot,
  transaction: PublisherTransaction,
): Promise<void> {
  await manager.save(PublisherSlotEntity, slot)
  await manager.insert(PublisherTransactionEntity, transaction)
}

/** Empty slots whose nonce is used up for good: nobody follows them, so they end here. */
export async function closeEmptySlots(db: Db, chainId: number, sender: Hex, below: number): Promise<void> {
  await db.query(
    `UPDATE publisher_slots SET state = 'confirmed'
      WHERE chain_id = $1 AND sender = $2 AND nonce < $3 AND state = 'open' AND calldata = $4`,
    [chainId, sender, below, emptyCalldata],
  )
}

const unpublished = `status = 'pending_onchain', status_since = now(), onchain_tx_hash = NULL,
  onchain_block_number = NULL, onchain_block_hash = NULL`

/**
 * The chain has lost the slot's block: its proofs are not published any more, or have not failed for good, and its
 * transaction must be mined again. False when it carries no proofs.
 */
export async function reopenSlot(db: DataSource, id: string): Promise<boolean> {
  return db.transaction(async (manager) => {
    await manager.query('SELECT id FROM publisher_slots WHERE id = $1 FOR UPDATE', [id])
    if (!(await carriesProofs(manager, id))) return false
    await manager.query(`UPDATE publisher_slots SET state = 'open' WHERE id = $1`, [id])
    await manager.query(`UPDATE publications SET ${unpublished} WHERE slot_id = $1 AND status = 'complete'`, [id])
    return true
  })
}

/** Blocks that hold events of proofs completed in the last `seconds`, or that are at or above `fromBlock`. */
export async function recentBlocks(
  db: Db,
  chainId: number,
  { seconds, fromBlock }: { seconds: number; fromBlock: number },
): Promise<{ blockNumber: number; blockHash: Hex }[]> {
  const rows = await db.query<{ number: string; hash: Hex }[]>(
    `SELECT DISTINCT p.onchain_block_number AS number, p.onchain_block_hash AS hash
       FROM (SELECT * FROM publications WHERE status = 'complete' AND onchain_block_number >= $3
              UNION SELECT * FROM publications
              WHERE status = 'complete' AND status_since > now() - make_interval(secs => $2)) p
       JOIN transactions t ON t.slug = p.slug JOIN attestations a ON a.transaction_id = t.id
      WHERE (a.anchors->'publication'->>'chainId')::bigint = $1 ORDER BY 1`,
    [chainId, seconds, fromBlock],
  )
  return rows.map(({ number, hash }) => ({ blockNumber: Number(number), blockHash: hash }))
}

/** The chain has lost this block: what was published in it is not published any more, and must be mined again. */
export async function reopenBlock(db: DataSource, blockHash: Hex): Promise<string[]> {
  return db.transaction(async (manager) => {
    await manager.query(
      `UPDATE publisher_slots SET state = 'open' WHERE state = 'confirmed' AND id IN
         (SELECT slot_id FROM publications WHERE onchain_block_hash = $1 AND status = 'complete')`,
      [blockHash],
    )
    const [rows] = await manager.query<[{ slug: string }[], number]>(
      `UPDATE publications SET ${unpublished} WHERE onchain_block_hash = $1 AND status = 'complete' RETURNING slug`,
      [blockHash],
    )
    return rows.map(({ slug }) => slug)
  })
}

export async function addTransaction(manager: EntityManager, transaction: PublisherTransaction): Promise<void> {
  await manager.insert(PublisherTransactionEntity, transaction)
}

/** How a slot has ended, as far as is known: a reorganisation may make it end in another way. */
export async function closeSlot(db: DataSource, id: string, state: 'confirmed' | 'reverted' | 'lost'): Promise<void> {
  const text = `UPDATE publisher_slots SET state = $2 WHERE id = $1 AND state <> $2`
  await prepared(db, 'close_slot', text, [id, state])
}
