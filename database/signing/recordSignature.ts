import type { DataSource } from 'typeorm'
import type { Hex } from '@perigee/core'
import { AttestationEntity, type Attestation } from '../entities/Attestation.js'
import type { Bundle } from '../entities/Bundle.js'
import { TransactionEntity, type Transaction } from '../entities/Transaction.js'
import type { Wallet } from '../entities/Wallet.js'
import { toRowJson } from '../toRowJson.js'
import { referringToBundles, storeBundlesOnce } from './bundles.js'

/** One signature with its evidence, and the bundles that its receipt names. */
export interface SignatureRecord {
  transaction: Transaction
  attestation: Attestation
  bundles: Bundle[]
}

/** What a publication must know about a signature. */
export type SignedRow = Pick<Transaction, 'signature' | 'slug' | 'txHash' | 'chainId'>

export interface Signer {
  wallet: Pick<Wallet, 'id' | 'keyId' | 'address' | 'sealedKey' | 'owners' | 'since'>
  /** The signature this wallet already gave for this digest. */
  signed: SignedRow | null
}

// SQL: every signature runs it, and TypeORM's query builder takes 0.3 ms longer.
const signerSql = `
  SELECT json_build_object('id', w.id, 'keyId', w.key_id, 'address', w.address, 'sealedKey', w.sealed_key,
           'owners', w.owners, 'since', w.since) AS wallet,
         CASE WHEN t.id IS NOT NULL THEN json_build_object('signature', t.signature, 'slug', t.slug,
           'txHash', t.tx_hash, 'chainId', t.chain_id) END AS signed
    FROM wallets w LEFT JOIN transactions t ON t.wallet_id = w.id AND t.digest = $2 WHERE w.id = $1`

/** The wallet, and whether it has signed this digest; null when there is no such wallet. */
export async function findSigner(db: DataSource, walletId: string, digest: Hex): Promise<Signer | null> {
  const [signer] = await db.query<Signer[]>(signerSql, [walletId, digest])
  return signer ?? null
}

// SQL: three tables in one statement and one round trip.
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
 * and the intent to publish its receipt exist together or not at all. The row (wallet, digest) that came first wins,
 * and the second caller gets it too.
 */
export async function recordSignature(db: DataSource, record: SignatureRecord): Promise<SignedRow> {
  const { transaction, attestation, bundles } = record
  const values = [toRowJson(db, TransactionEntity, transaction), toRowJson(db, AttestationEntity, attestation)]
  await storeBundlesOnce(db, bundles)
  const recorded = await referringToBundles(db, () => db.query<unknown[]>(recordSql, values))
  if (recorded.length > 0) return transaction
  const { walletId, digest } = transaction
  return db.getRepository(TransactionEntity).findOneByOrFail({ walletId, digest })
}
