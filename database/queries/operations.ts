import type { DataSource } from 'typeorm'
import type { Hex, ProofStatus } from '@perigee/core'

/*
 * What operators' tools read: in pages, by a key that does not move while they are read, so that a large table neither
 * fills memory nor is read twice.
 */

const pageSize = 200

export interface StuckProof {
  slug: string
  status: ProofStatus
  wallet: Hex
  txHash: Hex
  chainId: number
  since: Date
  errorCode: string | null
  errorMessage: string | null
  abandoned: boolean
}

/** Proofs that failed, and those that are not terminal after `overdueSeconds`. Those given up only when asked for. */
export async function* findStuck(
  db: DataSource,
  { overdueSeconds, abandoned }: { overdueSeconds: number; abandoned: boolean },
): AsyncGenerator<StuckProof> {
  for (let after = ''; ;) {
    const rows = await db.query<(StuckProof & { chainId: string })[]>(
      `SELECT p.slug, p.status, w.address AS wallet, t.tx_hash AS "txHash", t.chain_id AS "chainId",
              p.status_since AS since, p.error_code AS "errorCode", p.error_message AS "errorMessage",
              p.abandoned_at IS NOT NULL AS abandoned
         FROM publications p JOIN transactions t ON t.slug = p.slug JOIN wallets w ON w.id = t.wallet_id
        WHERE p.status <> 'complete' AND p.slug > $1 AND ($3 OR p.abandoned_at IS NULL)
          AND (p.status IN ('pin_failed', 'onchain_failed') OR p.created_at < now() - make_interval(secs => $2))
        ORDER BY p.slug LIMIT ${pageSize}`,
      [after, overdueSeconds, abandoned],
    )
    for (const row of rows) yield { ...row, chainId: Number(row.chainId) }
    after = rows.at(-1)?.slug ?? ''
    if (rows.length < pageSize) return
  }
}

/** One proof as an auditor needs it. */
export interface AuditedProof {
  slug: string
  /** Null when a signature has no publication at all. */
  status: ProofStatus | null
  cid: string | null
  receipt: string | null
  wallet: Hex
  txHash: Hex
  signature: Hex
  onchainTxHash: Hex | null
  onchainBlockNumber: number | null
  onchainBlockHash: Hex | null
  publicationChainId: number | null
  ageSeconds: number
}

/** Every signature with its publication, page by page. */
export async function* walkProofs(db: DataSource): AsyncGenerator<AuditedProof[]> {
  for (let after = ''; ;) {
    const rows = await db.query<(AuditedProof & Record<'onchainBlockNumber' | 'publicationChainId', string | null>)[]>(
      `SELECT t.slug, p.status, p.cid, p.receipt, w.address AS wallet, t.tx_hash AS "txHash", t.signature,
              p.onchain_tx_hash AS "onchainTxHash", p.onchain_block_number AS "onchainBlockNumber",
              p.onchain_block_hash AS "onchainBlockHash",
              a.anchors->'publication'->>'chainId' AS "publicationChainId",
              extract(epoch FROM now() - t.created_at)::float AS "ageSeconds"
         FROM transactions t JOIN wallets w ON w.id = t.wallet_id
         LEFT JOIN publications p ON p.slug = t.slug LEFT JOIN attestations a ON a.transaction_id = t.id
        WHERE t.slug > $1 ORDER BY t.slug LIMIT ${pageSize}`,
      [after],
    )
    const number = (value: string | null) => (value === null ? null : Number(value))
    if (rows.length > 0) {
      yield rows.map((row) => ({
        ...row,
        onchainBlockNumber: number(row.onchainBlockNumber),
        publicationChainId: number(row.publicationChainId),
      }))
    }
    after = rows.at(-1)?.slug ?? ''
    if (rows.length < pageSize) return
  }
}

/** CIDs of the bundles that receipts name, once they have been pinned. */
export async function* walkBundles(db: DataSource): AsyncGenerator<{ cid: string; bytes: Uint8Array }[]> {
  for (let after = ''; ;) {
    const rows = await db.query<{ cid: string; bytes: Buffer }[]>(
      `SELECT cid, bytes FROM bundles b WHERE cid > $1 AND EXISTS (SELECT 1 FROM pins WHERE pins.cid = b.cid)
        ORDER BY cid LIMIT ${pageSize}`,
      [after],
    )
    if (rows.length > 0) yield rows
    after = rows.at(-1)?.cid ?? ''
    if (rows.length < pageSize) return
  }
}

export interface KnownProof {
  slug: string
  wallet: Hex
  txHash: Hex
  cid: string | null
  status: ProofStatus | null
  onchainTxHash: Hex | null
}

/** The proofs of these transactions. */
export function findProofsOf(db: DataSource, txHashes: readonly Hex[]): Promise<KnownProof[]> {
  return db.query<KnownProof[]>(
    `SELECT t.slug, w.address AS wallet, t.tx_hash AS "txHash", p.cid, p.status, p.onchain_tx_hash AS "onchainTxHash"
       FROM transactions t JOIN wallets w ON w.id = t.wallet_id LEFT JOIN publications p ON p.slug = t.slug
      WHERE t.tx_hash = ANY($1)`,
    [txHashes],
  )
}

/** Which of these transactions our publisher has signed. */
export async function findPublisherTransactions(db: DataSource, txHashes: readonly Hex[]): Promise<Set<Hex>> {
  const rows = await db.query<{ tx_hash: Hex }[]>(
    `SELECT tx_hash FROM publisher_transactions WHERE tx_hash = ANY($1)`,
    [txHashes],
  )
  return new Set(rows.map(({ tx_hash }) => tx_hash))
}

export interface SlotSummary {
  id: string
  sender: Hex
  nonce: number
  state: string
  offers: number
  proofs: number
  since: Date
  hashes: Hex[]
}

/** Slots of a key in order of their nonce, page by page; only open ones when asked so. */
export async function* walkSlots(
  db: DataSource,
  chainId: number,
  sender: Hex,
  state: 'open' | 'any',
): AsyncGenerator<SlotSummary> {
  for (let after = -1; ;) {
    const rows = await db.query<(SlotSummary & { nonce: string })[]>(
      `SELECT s.id, s.sender, s.nonce, s.state, s.created_at AS since,
              (SELECT count(*)::int FROM publisher_transactions t WHERE t.slot_id = s.id) AS offers,
              (SELECT array_agg(t.tx_hash) FROM publisher_transactions t WHERE t.slot_id = s.id) AS hashes,
              (SELECT count(*)::int FROM publications p WHERE p.slot_id = s.id) AS proofs
         FROM publisher_slots s
        WHERE s.chain_id = $1 AND s.sender = $2 AND s.nonce > $3 AND ($4 = 'any' OR s.state = $4)
        ORDER BY s.nonce LIMIT ${pageSize}`,
      [chainId, sender, after, state],
    )
    for (const row of rows) yield { ...row, nonce: Number(row.nonce), hashes: row.hashes ?? [] }
    after = Number(rows.at(-1)?.nonce ?? 0)
    if (rows.length < pageSize) return
  }
}

/** Keys that have ever published on this chain. */
export async function findSenders(db: DataSource, chainId: number): Promise<Hex[]> {
  const rows = await db.query<{ sender: Hex }[]>('SELECT DISTINCT sender FROM publisher_slots WHERE chain_id = $1', [
    chainId,
  ])
  return rows.map(({ sender }) => sender)
}

/** Every wallet, page by page. */
export async function* walkWallets(db: DataSource): AsyncGenerator<{ id: string; address: Hex }[]> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const rows = await db.query<{ id: string; address: Hex }[]>(
      `SELECT id, address FROM wallets WHERE id > $1 ORDER BY id LIMIT ${pageSize}`,
      [after],
    )
    if (rows.length > 0) yield rows
    after = rows.at(-1)?.id ?? after
    if (rows.length < pageSize) return
  }
}

/** Chains that wallets have signed for. */
export async function findSignedChains(db: DataSource): Promise<number[]> {
  const rows = await db.query<{ chain_id: string }[]>('SELECT DISTINCT chain_id FROM transactions')
  return rows.map(({ chain_id }) => Number(chain_id))
}

export interface SignedNonce {
  nonce: number
  txHash: Hex
  slug: string
  status: ProofStatus | null
}

/** Signatures of one wallet for one chain, from a nonce on, in the order of nonces. */
export async function findSignedNonces(
  db: DataSource,
  { walletId, chainId, from, limit }: { walletId: string; chainId: number; from: number; limit: number },
): Promise<SignedNonce[]> {
  return db.query<SignedNonce[]>(
    `SELECT (t.metadata->>'nonce')::int AS nonce, t.tx_hash AS "txHash", t.slug, p.status
       FROM transactions t LEFT JOIN publications p ON p.slug = t.slug
      WHERE t.wallet_id = $1 AND t.chain_id = $2
        AND (t.metadata->>'nonce')::bigint >= $3 AND (t.metadata->>'nonce')::bigint < $3 + $4 ORDER BY 1`,
    [walletId, chainId, from, limit],
  )
}
