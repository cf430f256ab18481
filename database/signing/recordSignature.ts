import type { DataSource } from 'typeorm'
import type { Hex } from '@perigee/core'
import { AttestationEntity, type SignatureAttestation } from '../entities/Attestation.js'
import type { Bundle } from '../entities/Bundle.js'
import { PublicationEntity } from '../entities/Publication.js'
import { TransactionEntity, type Transaction } from '../entities/Transaction.js'
import type { Wallet } from '../entities/Wallet.js'
import { toRowJson } from '../toRowJson.js'
import { referringToBundles, storeBundlesOnce } from './bundles.js'
import { newPublication, type NewProof } from './newPublication.js'

/** One signature with its evidence, and the bundles that its receipt names. */
export interface SignatureRecord {
  proof: NewProof
  transaction: Omit<Transaction, 'slug' | 'walletId'>
  attestation: Omit<SignatureAttestation, 'slug'>
  bundles: Bundle[]
}

/** What a publication must know about a signature. */
export type SignedRow = Pick<Transaction, 'signature' | 'slug'> & Pick<NewProof, 'txHash' | 'chainId'>

export interface Signer {
  wallet: Pick<Wallet, 'id' | 'keyId' | 'address' | 'sealedKey' | 'owners' | 'since'>
  /** The signature this wallet already gave for this digest. */
  signed: SignedRow | null
}

// SQL: every signature runs it, and TypeORM's query builder takes 0.3 ms longer.
const signerSql = `
  SELECT json_build_object('id', w.id, 'keyId', w.key_id, 'address', w.address, 'sealedKey', w.sealed_key,
           'owners', w.owners, 'since', w.since) AS wallet,
         CASE WHEN t.slug IS NOT NULL THEN json_build_object('signature', t.signature, 'slug', t.slug,
           'txHash', p.tx_hash, 'chainId', p.chain_id) END AS signed
    FROM wallets w LEFT JOIN transactions t ON t.wallet_id = w.id AND t.digest = $2
    LEFT JOIN publications p ON p.slug = t.slug WHERE w.id = $1`

/** The wallet, and whether it has signed this digest; null when there is no such wallet. */
export async function findSigner(db: DataSource, walletId: string, digest: Hex): Promise<Signer | null> {
  const [signer] = await db.query<Signer[]>(signerSql, [walletId, digest])
  return signer ?? null
}

// SQL: three tables in one statement and one round trip.
const recordSql = `
  WITH signed AS (
    INSERT INTO transactions SELECT * FROM jsonb_populate_record(NULL::transactions, $1)
    ON CONFLICT DO NOTHING RETURNING slug
  ), intended AS (
    INSERT INTO publications SELECT p.* FROM signed, jsonb_populate_record(NULL::publications, $2) p
  ), attested AS (
    INSERT INTO attestations SELECT a.* FROM signed, jsonb_populate_record(NULL::attestations, $3) a
  )
  SELECT slug FROM signed`

/**
 * The promise of the service, in one statement and so in one database transaction: the signature, the evidence for it
 * and the intent to publish its receipt exist together or not at all. The row (wallet, digest) that came first wins,
 * and the second caller gets it too.
 */
export async function recordSignature(db: DataSource, record: SignatureRecord): Promise<SignedRow> {
  const { proof, transaction, attestation, bundles } = record
  const { slug, walletId, txHash, chainId } = proof
  const values = [
    toRowJson(db, TransactionEntity, { ...transaction, slug, walletId }),
    toRowJson(db, PublicationEntity, newPublication('transaction', proof)),
    toRowJson(db, AttestationEntity, { ...attestation, slug }),
  ]
  await storeBundlesOnce(db, bundles)
  const recorded = await referringToBundles(db, () => db.query<unknown[]>(recordSql, values))
  if (recorded.length > 0) return { signature: transaction.signature, slug, txHash, chainId }
  const first = (await findSigner(db, walletId, transaction.digest))?.signed
  if (!first) throw new Error('a signature clashed with a record that is not there')
  return first
}
