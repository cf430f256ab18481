import type { DataSource } from 'typeorm'
import type { Hex } from '@perigee/core'
import { AttestationEntity, type Attestation } from '../entities/Attestation.js'
import type { Bundle } from '../entities/Bundle.js'
import { TransactionEntity, type Transaction } from '../entities/Transaction.js'
import type { Wallet } from '../entities/Wallet.js'
import { prepared, toRow } from '../prepared.js'
import { forgetStoredBundles, storeBundlesOnce } from './storeBundles.js'

/** One signature with its evidence, and the bundles that its receipt names. */
export interface SignatureRecord {
  transaction: Transaction
  attestation: Attestation
  bundles: Pick<Bundle, 'cid' | 'kind' | 'bytes'>[]
}

/** What a publication must know of a signature. */
export type SignedRow = Pick<Transaction, 'signature' | 'slug' | 'txHash' | 'chainId'>

export interface Signer {
  wallet: Pick<Wallet, 'id' | 'keyId' | 'address' | 'sealedKey'>
  /** The signature this wallet already gave for this digest. */
  signed: SignedRow | null
}

/** The wallet, and whether it has signed this digest; null when there is no such wallet. */
export async function findSigner(db: DataSource, walletId: string, digest: Hex): Promise<Signer | null> {
  const [row] = await prepared<Record<string, string | null>>(
    db,
    'find_signer',
    `SELECT w.id, w.key_id, w.address, w.sealed_key, t.signature, t.slug, t.tx_hash, t.chain_id
       FROM wallets w LEFT JOIN transactions t ON t.wallet_id = w.id AND t.digest = $2 WHERE w.id = $1`,
    [walletId, digest],
  )
  if (!row) return null
  const wallet = { id: row.id, keyId: row.key_id, address: row.address, sealedKey: row.sealed_key }
  const signed = { signature: row.signature, slug: row.slug, txHash: row.tx_hash, chainId: Number(row.chain_id) }
  return { wallet: wallet as Signer['wallet'], signed: row.slug === null ? null : (signed as SignedRow) }
}

const recordSql = `
  WITH signed AS (
    INSERT INTO transactions SELECT * FROM jsonb_populate_record(NULL::transactions, $1)
    ON CONFLICT DO NOTHING RETURNING slug, created_at
  ), attested AS (
    INSERT INTO attestations SELECT a.* FROM signed, jsonb_populate_record(NULL::attestations, $2) a
  ), intended AS (
    INSERT INTO publications (slug, status, status_since, created_at)
    SELECT slug, 'pending_pin', created_at, created_at FROM signed
  )
  SELECT slug FROM signed`

/**
 * The promise of the service, in one statement and so in one database transaction: the signature, the evidence for it
 * and the intent to publish its receipt exist together or not at all. The row (wallet, digest) that came first wins;
 * callers that come second get it.
 */
export async function recordSignature(db: DataSource, record: SignatureRecord): Promise<SignedRow> {
  const { transaction, attestation, bundles } = record
  const values = [toRow(TransactionEntity, transaction), toRow(AttestationEntity, attestation)]
  await storeBundlesOnce(db, bundles)
  try {
    const rows = await prepared(db, 'record_signature', recordSql, values)
    if (rows.length > 0) return transaction
  } catch (error) {
    forgetStoredBundles(db) // a bundle we remember may be gone: the retry looks again
    throw error
  }
  const { walletId, digest } = transaction
  return db.getRepository(TransactionEntity).findOneByOrFail({ walletId, digest })
}
