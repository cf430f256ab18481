import type { DataSource } from 'typeorm'
import { canonicalJson, type Facts, type Hex } from '@perigee/core'
import type { ReceiptKind } from '@perigee/core/receipt'
import { AttestationEntity, type SignatureAttestation } from '../entities/Attestation.js'
import type { Bundle } from '../entities/Bundle.js'
import { PublicationEntity, type Publication } from '../entities/Publication.js'
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
export type SignedRow<Signature = Hex> = Pick<Publication, 'slug' | 'txHash' | 'chainId'> & { signature: Signature }

export interface Signer<Signature = Hex> {
  wallet: Pick<Wallet, 'id' | 'keyId' | 'address' | 'sealedKey' | 'owners' | 'since'>
  /** The signature this wallet already gave. */
  signed: SignedRow<Signature> | null
}

/** SQL: every signature runs both; TypeORM's query builder takes 0.3 ms longer. `record` fills three tables and appends to the audit log in one round trip. */
export const signingSql = (table: 'transactions' | 'messages', hash: string, signature: string) => ({
  find: `
    SELECT json_build_object('id', w.id, 'keyId', w.key_id, 'address', w.address, 'sealedKey', w.sealed_key,
             'owners', w.owners, 'since', w.since) AS wallet,
           CASE WHEN s.slug IS NOT NULL THEN json_build_object('signature', s.${signature}, 'slug', s.slug,
             'txHash', p.tx_hash, 'chainId', p.chain_id) END AS signed
      FROM wallets w LEFT JOIN ${table} s ON s.wallet_id = w.id AND s.${hash} = $2
      LEFT JOIN publications p ON p.slug = s.slug WHERE w.id = $1`,
  record: `
    WITH signed AS (
      INSERT INTO ${table} SELECT * FROM jsonb_populate_record(NULL::${table}, $1) ON CONFLICT DO NOTHING RETURNING slug
    ), intended AS (
      INSERT INTO publications SELECT p.* FROM signed, jsonb_populate_record(NULL::publications, $2) p
    ), attested AS (
      INSERT INTO attestations SELECT a.* FROM signed, jsonb_populate_record(NULL::attestations, $3) a
    )
    SELECT append_audit_event($4, 'signature_recorded', (SELECT user_id::text FROM wallets WHERE id = $5), $6) FROM signed`,
})
const sql = signingSql('transactions', 'digest', 'signature')

/** The wallet, and whether it has signed this digest; null when there is no such wallet. */
export async function findSigner(db: DataSource, walletId: string, digest: Hex): Promise<Signer | null> {
  return (await db.query<Signer[]>(sql.find, [walletId, digest]))[0] ?? null
}

/** The row (wallet, digest) that came first wins, and the second caller gets it too. */
export async function recordSignature(db: DataSource, record: SignatureRecord): Promise<SignedRow> {
  const { slug, walletId, txHash, chainId } = record.proof
  const { digest, signature } = record.transaction
  const row = toRowJson(db, TransactionEntity, { ...record.transaction, slug, walletId })
  const isNew = await recordProven(db, { ...sql, row, kind: 'transaction', facts: { digest, chainId } }, record)
  if (isNew) return { signature, slug, txHash, chainId }
  const first = (await findSigner(db, walletId, digest))?.signed
  if (!first) throw new Error('a signature clashed with a record that is not there')
  return first
}

export type ProvenRecord = Omit<SignatureRecord, 'transaction'>

/**
 * The promise of the service, in one statement and so in one database transaction: the signature, the evidence for it, the intent
 * to publish its receipt and the audit event (`facts`) exist together or not at all. False when the signature is there already.
 */
export async function recordProven(
  db: DataSource,
  { record: sql, row, kind, facts }: { record: string; row: string; kind: ReceiptKind; facts: Facts },
  { proof, attestation, bundles }: ProvenRecord,
): Promise<boolean> {
  const { slug, walletId } = proof
  const publication = toRowJson(db, PublicationEntity, newPublication(kind, proof))
  const attested = toRowJson(db, AttestationEntity, { ...attestation, slug })
  const event = [new Date().toISOString(), walletId, canonicalJson({ walletId, slug, ...facts })]
  await storeBundlesOnce(db, bundles)
  return (
    (await referringToBundles(db, () => db.query<unknown[]>(sql, [row, publication, attested, ...event]))).length > 0
  )
}
