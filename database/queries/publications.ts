import type { DataSource } from 'typeorm'
import type { Hex } from '@perigee/core'
import type { OrphanCursor, PublishReceiptInput } from '@perigee/core/workflow'
import { AttestationEntity, type Attestation } from '../entities/Attestation.js'
import { BundleEntity, PinEntity, type Bundle } from '../entities/Bundle.js'
import { PublicationEntity, type Publication } from '../entities/Publication.js'
import { TransactionEntity, type Transaction } from '../entities/Transaction.js'
import { WalletEntity, type Wallet } from '../entities/Wallet.js'
import { fromRow, prepared } from '../prepared.js'

export interface ProofRecord {
  publication: Publication
  transaction: Transaction
  attestation: Attestation
  wallet: Wallet
}

/** Everything about one proof; null for an unknown slug. */
export async function loadProofRecord(db: DataSource, slug: string): Promise<ProofRecord | null> {
  const [row] = await prepared<Record<'p' | 't' | 'a' | 'w', Record<string, unknown>>>(
    db,
    'load_proof_record',
    `SELECT to_jsonb(p) AS p, to_jsonb(t) AS t, to_jsonb(a) AS a, to_jsonb(w) AS w
       FROM publications p JOIN transactions t ON t.slug = p.slug JOIN attestations a ON a.transaction_id = t.id
       JOIN wallets w ON w.id = t.wallet_id WHERE p.slug = $1`,
    [slug],
  )
  if (!row) return null
  return {
    publication: fromRow(PublicationEntity, row.p),
    transaction: fromRow(TransactionEntity, row.t),
    attestation: fromRow(AttestationEntity, row.a),
    wallet: fromRow(WalletEntity, row.w),
  }
}

export function loadBundle(db: DataSource, cid: string): Promise<Bundle> {
  return db.getRepository(BundleEntity).findOneByOrFail({ cid })
}

/** Names of the nodes on which a block was seen pinned. */
export async function pinnedNodes(db: DataSource, cid: string): Promise<string[]> {
  return (await db.getRepository(PinEntity).findBy({ cid })).map(({ node }) => node)
}

export async function recordPins(db: DataSource, cid: string, nodes: readonly string[]): Promise<void> {
  await prepared(db, 'record_pins', insertPins('$1', '$2'), [cid, nodes])
}

const insertPins = (cid: string, nodes: string) =>
  `INSERT INTO pins (cid, node) SELECT ${cid}, unnest(${nodes}::text[])
   ON CONFLICT (cid, node) DO UPDATE SET verified_at = now()`

/** Blocks that have not been seen on this node for longest, or never, with their bytes: receipts and bundles alike. */
export async function stalePins(
  db: DataSource,
  node: string,
  olderThanSeconds: number,
  limit: number,
): Promise<{ cid: string; bytes: Uint8Array }[]> {
  const rows = await db.query<{ cid: string; receipt: string | null; bytes: Buffer | null }[]>(
    `SELECT c.cid, p.receipt, b.bytes
       FROM (SELECT k.cid, n.verified_at
               FROM (SELECT cid FROM publications WHERE cid IS NOT NULL UNION SELECT DISTINCT cid FROM pins) k
               LEFT JOIN pins n ON n.cid = k.cid AND n.node = $1
              WHERE n.verified_at IS NULL OR n.verified_at < now() - make_interval(secs => $2)
              ORDER BY n.verified_at NULLS FIRST LIMIT $3) c
       LEFT JOIN publications p ON p.cid = c.cid LEFT JOIN bundles b ON b.cid = c.cid`,
    [node, olderThanSeconds, limit],
  )
  return rows.flatMap(({ cid, receipt, bytes }) => {
    const found = bytes ?? (receipt === null ? null : new TextEncoder().encode(receipt))
    return found ? [{ cid, bytes: found }] : []
  })
}

/** How many blocks each node was seen to hold. */
export async function countPins(db: DataSource): Promise<Record<string, number>> {
  const rows = await db.query<{ node: string; count: string }[]>('SELECT node, count(*) FROM pins GROUP BY node')
  return Object.fromEntries(rows.map(({ node, count }) => [node, Number(count)]))
}

/** Proofs by state, without those that are complete or given up. */
export async function countUnfinished(db: DataSource): Promise<Record<string, number>> {
  const rows = await db.query<{ status: string; count: string }[]>(
    `SELECT status, count(*) FROM publications WHERE status <> 'complete' AND abandoned_at IS NULL GROUP BY status`,
  )
  const none = { pending_pin: 0, pending_onchain: 0, pin_failed: 0, onchain_failed: 0 }
  return { ...none, ...Object.fromEntries(rows.map(({ status, count }) => [status, Number(count)])) }
}

/*
 * The moves of the proof's life. Each names the states it may leave, so a late or repeated step cannot move a proof back.
 */

/** `nodes`: where the receipt was seen pinned. */
export async function markPinned(
  db: DataSource,
  slug: string,
  { cid, receipt, nodes }: { cid: string; receipt: string; nodes: readonly string[] },
): Promise<void> {
  await prepared(
    db,
    'mark_pinned',
    `WITH held AS (${insertPins('$2', '$4')})
     UPDATE publications SET status = 'pending_onchain', status_since = now(), cid = $2, receipt = $3,
            error_code = NULL, error_message = NULL
      WHERE slug = $1 AND status IN ('pending_pin', 'pin_failed')`,
    [slug, cid, receipt, nodes],
  )
}

export interface OnchainPlace {
  onchainTxHash: Hex
  onchainBlockNumber: number
  onchainBlockHash: Hex
}

export async function markComplete(db: DataSource, slug: string, place: OnchainPlace): Promise<void> {
  await prepared(
    db,
    'mark_complete',
    `UPDATE publications SET status = 'complete', status_since = now(), onchain_tx_hash = $2, onchain_block_number = $3,
            onchain_block_hash = $4, error_code = NULL, error_message = NULL
      WHERE slug = $1 AND status IN ('pending_onchain', 'onchain_failed')`,
    [slug, place.onchainTxHash, place.onchainBlockNumber, place.onchainBlockHash],
  )
}

export interface FailedStep {
  slug: string
  status: 'pin_failed' | 'onchain_failed'
  code: string
  message: string
}

export async function markFailed(db: DataSource, { slug, status, code, message }: FailedStep): Promise<void> {
  const from = status === 'pin_failed' ? ['pending_pin', 'pin_failed'] : ['pending_onchain', 'onchain_failed']
  await db.query(
    `UPDATE publications SET status = $2, status_since = now(), error_code = $3, error_message = $4
      WHERE slug = $1 AND status = ANY($5)`,
    [slug, status, code, message, from],
  )
}

/** An operator's retry: the proof is under way again, at the step that had failed. */
export async function markRetried(db: DataSource, slug: string): Promise<void> {
  await db.query(
    `UPDATE publications SET status_since = now(), abandoned_at = NULL,
            status = CASE status WHEN 'pin_failed' THEN 'pending_pin' ELSE 'pending_onchain' END
      WHERE slug = $1 AND status IN ('pin_failed', 'onchain_failed')`,
    [slug],
  )
}

export async function markAbandoned(db: DataSource, slug: string): Promise<void> {
  await db.query(`UPDATE publications SET abandoned_at = now() WHERE slug = $1 AND status <> 'complete'`, [slug])
}

/** Proofs that failed on the way to the chain although a transaction of theirs has been mined since, given up or not. */
export async function findPublishedFailures(
  db: DataSource,
  limit: number,
): Promise<{ slug: string; txHash: Hex; wallet: Hex; chainId: number }[]> {
  const rows = await db.query<{ slug: string; txHash: Hex; wallet: Hex; chainId: string }[]>(
    `SELECT p.slug, t.tx_hash AS "txHash", w.address AS wallet, t.chain_id AS "chainId"
       FROM publications p JOIN publisher_slots s ON s.id = p.slot_id
       JOIN transactions t ON t.slug = p.slug JOIN wallets w ON w.id = t.wallet_id
      WHERE p.status = 'onchain_failed' AND s.state = 'confirmed' ORDER BY p.created_at LIMIT $1`,
    [limit],
  )
  return rows.map(({ chainId, ...row }) => ({ ...row, chainId: Number(chainId) }))
}

export interface UnfinishedProof extends PublishReceiptInput {
  createdAt: string
  waitingSeconds: number
}

/**
 * Proofs that are not terminal and older than `ageSeconds`, oldest first, with what starting their workflow needs.
 * `after`: the last one of the page before.
 */
export async function findUnfinished(
  db: DataSource,
  ageSeconds: number,
  limit: number,
  after: OrphanCursor | null = null,
): Promise<UnfinishedProof[]> {
  const rows = await db.query<
    { slug: string; tx_hash: Hex; address: Hex; chain_id: string; waiting: string; created: string }[]
  >(
    `SELECT p.slug, t.tx_hash, w.address, t.chain_id, p.created_at::text AS created,
            extract(epoch FROM now() - p.created_at)::bigint AS waiting
       FROM publications p JOIN transactions t ON t.slug = p.slug JOIN wallets w ON w.id = t.wallet_id
      WHERE p.status IN ('pending_pin', 'pending_onchain') AND p.abandoned_at IS NULL
        AND p.created_at < now() - make_interval(secs => $1)
        AND ($3::timestamptz IS NULL OR (p.created_at, p.slug) > ($3::timestamptz, $4))
      ORDER BY p.created_at, p.slug LIMIT $2`,
    [ageSeconds, limit, after?.createdAt ?? null, after?.slug ?? null],
  )
  return rows.map((row) => ({
    slug: row.slug,
    txHash: row.tx_hash,
    wallet: row.address,
    chainId: Number(row.chain_id),
    createdAt: row.created, // as Postgres writes it: a JavaScript date would lose the microseconds
    waitingSeconds: Number(row.waiting),
  }))
}

/** When the signature behind a proof was recorded; null for an unknown slug. */
export async function signedAt(db: DataSource, slug: string): Promise<Date | null> {
  const row = await db.getRepository(TransactionEntity).findOne({ select: { createdAt: true }, where: { slug } })
  return row && new Date(row.createdAt)
}
