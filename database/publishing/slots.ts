import { MoreThanOrEqual, Not, type DataSource, type EntityManager } from 'typeorm'
import type { Hex } from '@perigee/core'
import { AuditAnchorEntity } from '../entities/AuditEvent.js'
import { PublicationEntity } from '../entities/Publication.js'
import {
  PublisherSlotEntity,
  PublisherTransactionEntity,
  type NewSlot,
  type NewTransaction,
  type PublisherSlot,
} from '../entities/Publisher.js'
import { lockUntilCommit } from '../lockUntilCommit.js'
import { toRowJson } from '../toRowJson.js'
import { selectAs } from '../selectAs.js'
import { named, type WaitingProof } from './waitingProofs.js'

type Db = DataSource | EntityManager

const now = () => 'clock_timestamp()'

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
    await lockUntilCommit(manager, `publisher/${chainId}/${sender}`)
    return work(manager)
  })
}

/** The slot that carries this proof; null before it has one. */
export function findSlotOf(db: Db, slug: string): Promise<PublisherSlot | null> {
  return db
    .getRepository(PublisherSlotEntity)
    .createQueryBuilder('slot')
    .innerJoin('Publication', 'publication', 'publication.slotId = slot.id')
    .where('publication.slug = :slug', { slug })
    .getOne()
}

/** Slots of a key that have not ended, the lowest nonces first. */
export function findOpenSlots(db: Db, chainId: number, sender: Hex, limit: number): Promise<PublisherSlot[]> {
  const where = { chainId, sender, state: 'open' as const }
  return db.getRepository(PublisherSlotEntity).find({ where, order: { nonce: 'ASC' }, take: limit })
}

/** Whether proofs, or a head of the audit log, belong to this slot: then nothing else may take its nonce. */
export async function carriesPublication(db: Db, slotId: string): Promise<boolean> {
  if (await db.getRepository(PublicationEntity).existsBy({ slotId })) return true
  return db.getRepository(AuditAnchorEntity).existsBy({ slotId })
}

/** The collateral that the receipts of a slot's proofs name. One that left a spent slot may wait to be pinned again: then what it will name. */
export async function collateralOfSlot(db: Db, slotId: string): Promise<string[]> {
  const rows = await db
    .getRepository(PublicationEntity)
    .createQueryBuilder('publication')
    .innerJoin('Attestation', 'attestation', 'attestation.slug = publication.slug')
    .select(`DISTINCT coalesce(${named('signer,collateralCid')}, attestation.collateralCid)`, 'cid')
    .where('publication.slotId = :slotId', { slotId })
    .getRawMany<{ cid: string }>()
  return rows.map(({ cid }) => cid)
}

// SQL: a sum over the highest fee of each slot; the ORM would have to load every slot with its transactions.
const inFlightSql = `
  SELECT count(*), coalesce(sum(s.gas::numeric * t.fee), 0)::text AS wei,
         (SELECT coalesce(max(nonce) + 1, 0) FROM publisher_slots WHERE chain_id = $1 AND sender = $2) AS next
    FROM publisher_slots s
    LEFT JOIN LATERAL (SELECT max(max_fee_per_gas::numeric) AS fee FROM publisher_transactions WHERE slot_id = s.id) t ON true
   WHERE s.chain_id = $1 AND s.sender = $2 AND s.state = 'open' AND s.nonce >= $3`

/**
 * Unmined slots of a key (nonces at or above the number of its transactions that the chain has counted), their highest
 * price, and the nonce after the last one that was given out.
 */
export async function countInFlight(db: DataSource, chainId: number, sender: Hex, minedCount: number) {
  type Row = { count: number; wei: string; next: number }
  const [{ count, wei, next }] = await db.query<[Row]>(inFlightSql, [chainId, sender, minedCount])
  return { count, wei: BigInt(wei), next }
}

/** A proof as a transaction carries it. */
type CarriedProof = Pick<WaitingProof, 'slug' | 'cid'>

/**
 * Gives the proofs to a new slot with its first signed transaction. Returns the next nonce of the key: the slot is open
 * when that is its own, and nothing has happened when it is another. Null when another worker took one of the proofs
 * first or pinned its receipt again, or when the slot that one of them had (`formerId`) is open again. See migrations/initial/openPublisherSlot.ts.
 */
export async function openSlot(
  db: Db,
  slot: NewSlot,
  transaction: NewTransaction,
  { proofs, formerId, minedCount }: { proofs: readonly CarriedProof[]; formerId: string | null; minedCount: number },
): Promise<number | null> {
  // SQL: locks and three tables in one round trip.
  const rows = await db.query<[{ due: number | null }]>(
    `SELECT open_publisher_slot(jsonb_populate_record(NULL::publisher_slots, $1::jsonb || at),
       jsonb_populate_record(NULL::publisher_transactions, $2::jsonb || at), $3, $4, $5, $6) AS due
       FROM jsonb_build_object('created_at', clock_timestamp()) at`,
    [
      toRowJson(db, PublisherSlotEntity, slot),
      toRowJson(db, PublisherTransactionEntity, transaction),
      proofs.map(({ slug }) => slug),
      proofs.map(({ cid }) => cid),
      formerId,
      minedCount,
    ],
  )
  return rows[0].due
}

/** A transaction with its age. */
export type SignedTransaction = NewTransaction & { ageMs: number }

/** Every transaction signed for a slot, newest first. */
export function slotTransactions(db: Db, slotId: string): Promise<SignedTransaction[]> {
  const query = db.getRepository(PublisherTransactionEntity).createQueryBuilder('signed')
  const columns = ['txHash', 'slotId', 'raw', 'maxFeePerGas', 'maxPriorityFeePerGas']
  return selectAs(query, {
    ...Object.fromEntries(columns.map((name) => [name, `signed.${name}`])),
    ageMs: '(extract(epoch FROM clock_timestamp() - signed.createdAt) * 1000)::float8',
  })
    .where('signed.slotId = :slotId', { slotId })
    .orderBy('signed.createdAt', 'DESC')
    .getRawMany<SignedTransaction>()
}

/**
 * The slot with the lowest nonce that the chain has not counted: it holds up all the others. Usually it is open; after
 * a reorg it may be one that had ended.
 */
export function lowestUnminedSlot(db: Db, chainId: number, sender: Hex, minedCount: number) {
  const where = { chainId, sender, nonce: MoreThanOrEqual(minedCount) }
  return db.getRepository(PublisherSlotEntity).findOne({ where, order: { nonce: 'ASC' } })
}

/** A slot that carries nothing: it only uses its nonce, so that those above it can be mined. */
export const emptyCalldata = '0x'

/** Gives a nonce that carries no proofs to an empty slot. */
export async function openEmptySlot(manager: EntityManager, slot: NewSlot, transaction: NewTransaction): Promise<void> {
  await manager.upsert(PublisherSlotEntity, { ...slot, createdAt: now }, ['id'])
  await addTransaction(manager, transaction)
}

export async function addTransaction(manager: EntityManager, transaction: NewTransaction): Promise<void> {
  await manager.insert(PublisherTransactionEntity, { ...transaction, createdAt: now })
}

/** How a slot has ended, as far as is known: a reorg may make it end in another way. Its age; null when that was known already. */
export async function closeSlot(
  db: DataSource,
  id: string,
  state: 'confirmed' | 'reverted' | 'lost',
  cost: bigint | null = null,
): Promise<number | null> {
  const update = db
    .createQueryBuilder()
    .update(PublisherSlotEntity)
    .set({ state, costWei: cost === null ? null : String(cost) })
    .where({ id, state: Not(state) })
    .returning('(extract(epoch FROM clock_timestamp() - created_at) * 1000)::float8 AS "ageMs"')
  const { raw } = (await update.execute()) as { raw: { ageMs: number }[] }
  return raw[0]?.ageMs ?? null
}

/** Wei that a key has spent on transactions that it opened since `from`. */
export async function spentSince(db: DataSource, chainId: number, sender: Hex, from: Date): Promise<bigint> {
  const row = await db
    .getRepository(PublisherSlotEntity)
    .createQueryBuilder('slot')
    .select('coalesce(sum(CAST(slot.costWei AS numeric)), 0)::text', 'wei')
    .where('slot.chainId = :chainId AND slot.sender = :sender AND slot.createdAt >= :from', { chainId, sender, from })
    .getRawOne<{ wei: string }>()
  return BigInt(row?.wei ?? 0)
}
