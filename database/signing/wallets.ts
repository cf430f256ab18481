import type { DataSource } from 'typeorm'
import type { Hex, WalletInfo } from '@perigee/core'
import { ownersHash } from '@perigee/core/authorisation'
import { appendAuditEvent } from '../auditLog/appendAuditEvent.js'
import { AttestationEntity, type BirthAttestation } from '../entities/Attestation.js'
import type { Bundle } from '../entities/Bundle.js'
import { PublicationEntity, type Publication } from '../entities/Publication.js'
import { UserEntity } from '../entities/User.js'
import { WalletEntity, type Wallet } from '../entities/Wallet.js'
import { insertNew } from '../insertNew.js'
import { referringToBundles, storeBundlesOnce } from './bundles.js'
import { newPublication, type NewProof } from './newPublication.js'

type Shown = 'id' | 'address' | 'sealedKey' | 'subject' | 'owners' | 'since' | 'credentials' | 'createdAt'

/** A wallet as it is used, with what its owner sees of its birth. */
export type KnownWallet = Pick<Wallet, Shown> & {
  birth: Pick<Publication, 'slug' | 'status' | 'txHash' | 'chainId'>
  origin: Pick<BirthAttestation, 'entropy' | 'entropyHash'>
}

// SQL: every signature runs it, and TypeORM's query builder takes 0.5 ms longer.
const knownWalletSql = `
  SELECT w.id, w.address, w.sealed_key AS "sealedKey", w.subject, w.owners, w.since, w.credentials, w.created_at AS "createdAt",
         json_build_object('slug', p.slug, 'status', p.status, 'txHash', p.tx_hash, 'chainId', p.chain_id) AS birth,
         json_build_object('entropy', a.entropy, 'entropyHash', a.entropy_hash) AS origin
    FROM wallets w JOIN publications p ON p.wallet_id = w.id AND p.kind = 'birth' JOIN attestations a ON a.slug = p.slug
   WHERE w.user_id = $1`

export async function findWalletByUser(db: DataSource, userId: string): Promise<KnownWallet | null> {
  return (await db.query<KnownWallet[]>(knownWalletSql, [userId]))[0] ?? null
}

/** A new wallet with the evidence of its birth, and the bundles that its birth receipt names. */
export interface BirthRecord {
  wallet: Wallet
  proof: Omit<NewProof, 'walletId' | 'createdAt'>
  attestation: Omit<BirthAttestation, 'slug'>
  bundles: Bundle[]
}

/**
 * Stores a user's wallet, the evidence of its birth, the intent to publish its receipt and the audit event, together, unless the user has
 * a wallet: then that one is returned, and the new key, which was never released, is dropped. So a user never has two
 * keys, whatever runs twice. Null if another unique value clashed.
 */
export async function recordWallet(db: DataSource, record: BirthRecord): Promise<KnownWallet | null> {
  const { wallet, proof, attestation, bundles } = record
  const { id: walletId, createdAt, userId, keyId } = wallet
  await storeBundlesOnce(db, bundles)
  const recorded = referringToBundles(db, () =>
    db.transaction(async (manager) => {
      if ((await insertNew(manager, WalletEntity, wallet)) === 0) return
      await manager.insert(PublicationEntity, newPublication('birth', { ...proof, walletId, createdAt }))
      if ((await insertNew(manager, AttestationEntity, { ...attestation, slug: proof.slug })) === 0) throw new Clash()
      await manager.update(UserEntity, { id: userId }, { kmsKeyId: keyId })
      const facts = { walletId, address: wallet.address, ownersHash: ownersHash(wallet.owners), slug: proof.slug }
      await appendAuditEvent(manager, { kind: 'wallet_created', subject: userId, facts })
    }),
  )
  await recorded.catch((error: unknown) => {
    if (!(error instanceof Clash)) throw error
  })
  return findWalletByUser(db, userId)
}

/** Takes the transaction back: the entropy has served before. */
class Clash extends Error {}

export function findWallet(db: DataSource, id: string): Promise<Wallet | null> {
  return db.getRepository(WalletEntity).findOneBy({ id })
}

/** A key that was resealed for other owners. */
type NewSeal = Pick<Wallet, 'sealedKey' | 'owners' | 'since' | 'credentials'>

/** Replaces the sealed key `from` by the one for its next owners, with the audit event; false when another change was faster. */
export async function recordOwners(db: DataSource, id: string, from: Hex, seal: NewSeal): Promise<boolean> {
  return db.transaction(async (manager) => {
    const { affected } = await manager.update(WalletEntity, { id, sealedKey: from }, seal)
    if (affected !== 1) return false
    const { userId: subject } = await manager.findOneByOrFail(WalletEntity, { id })
    const facts = { walletId: id, sequence: seal.owners?.sequence ?? null, ownersHash: ownersHash(seal.owners) }
    await appendAuditEvent(manager, { kind: 'owners_changed', subject, facts })
    return true
  })
}

/** The part of a wallet that its owner sees. */
export function toWalletInfo({ address, createdAt, origin }: KnownWallet): WalletInfo {
  return {
    address,
    createdAt,
    provenance: {
      entropyHash: origin.entropyHash,
      entropySig: origin.entropy.signature?.value ?? '',
      satelliteSource: origin.entropy.source,
    },
  }
}
