import type { DataSource, EntityManager } from 'typeorm'
import type { Hex, ProofPayload } from '@perigee/core'
import type { AttestationReceiptV1 } from '@perigee/core/receipt'
import type { SignDigestResult } from '@perigee/core/workflow'
import { TransactionEntity } from '../entities/Transaction.js'
import { findRows } from '../prepared.js'

type Db = DataSource | EntityManager

/** The signature this wallet already gave for this digest. */
export async function findSignature(db: Db, walletId: string, digest: Hex): Promise<SignDigestResult | null> {
  const rest = 'WHERE t.wallet_id = $1 AND t.digest = $2'
  const [row] = await findRows(db, TransactionEntity, 'find_signature', rest, [walletId, digest])
  return row ? { signature: row.signature, slug: row.slug } : null
}

/** A proof as its record tells it; the API adds `ipfsUrl` from its gateway. Null for an unknown slug. */
export async function getProof(db: Db, slug: string): Promise<Omit<ProofPayload, 'ipfsUrl'> | null> {
  const [row] = await db.query<ProofRow[]>(
    `SELECT t.tx_hash, t.chain_id, t.created_at, w.address, a.quote_verified,
            p.status, p.cid, p.receipt, p.onchain_tx_hash, p.onchain_block_number
       FROM transactions t
       JOIN wallets w ON w.id = t.wallet_id
       JOIN attestations a ON a.transaction_id = t.id
       JOIN publications p ON p.slug = t.slug
      WHERE t.slug = $1`,
    [slug],
  )
  if (!row) return null
  return {
    slug,
    txHash: row.tx_hash,
    chainId: Number(row.chain_id),
    walletAddress: row.address,
    status: row.status,
    ipfsCid: row.cid,
    onchainTxHash: row.onchain_tx_hash,
    onchainBlockNumber: row.onchain_block_number === null ? null : Number(row.onchain_block_number),
    kmsQuoteVerified: row.quote_verified,
    receipt: row.receipt === null ? null : (JSON.parse(row.receipt) as AttestationReceiptV1),
    createdAt: row.created_at.toISOString(),
  }
}

interface ProofRow {
  tx_hash: Hex
  chain_id: string
  created_at: Date
  address: Hex
  quote_verified: boolean
  status: ProofPayload['status']
  cid: string | null
  receipt: string | null
  onchain_tx_hash: Hex | null
  onchain_block_number: string | null
}
