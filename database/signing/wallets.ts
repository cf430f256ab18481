import type { DataSource } from 'typeorm'
import type { Hex, WalletInfo } from '@perigee/core'
import { UserEntity } from '../entities/User.js'
import { WalletEntity, type Wallet } from '../entities/Wallet.js'
import { insertNew } from '../insertNew.js'
import { referringToBundles } from './bundles.js'

const shown = {
  id: true,
  address: true,
  sealedKey: true,
  subject: true,
  owners: true,
  since: true,
  credentials: true,
  entropy: true,
  entropyHash: true,
  createdAt: true,
} as const

/** A wallet without its evidence, which is long and which nobody needs to use the wallet. */
export type KnownWallet = Pick<Wallet, keyof typeof shown>

export async function findWalletByUser(db: DataSource, userId: string): Promise<KnownWallet | null> {
  return db.getRepository(WalletEntity).findOne({ select: shown, where: { userId } })
}

/**
 * Stores a user's wallet, unless the user has one: then that one is returned, and the new key, which was never released,
 * is dropped. So a user never has two keys, whatever runs twice. Null only if another unique value clashed.
 */
export async function recordWallet(db: DataSource, wallet: Wallet): Promise<KnownWallet | null> {
  const isNew = await referringToBundles(db, () =>
    db.transaction(async (manager) => {
      if ((await insertNew(manager, WalletEntity, wallet)) === 0) return false
      await manager.update(UserEntity, { id: wallet.userId }, { kmsKeyId: wallet.keyId })
      return true
    }),
  )
  return isNew ? wallet : findWalletByUser(db, wallet.userId)
}

export function findWallet(db: DataSource, id: string): Promise<Wallet | null> {
  return db.getRepository(WalletEntity).findOneBy({ id })
}

/** A key that was sealed again, for other owners. */
type NewSeal = Pick<Wallet, 'sealedKey' | 'owners' | 'since' | 'credentials'>

/** Replaces the sealed key `from` by the one for its next owners; false when another change was faster. */
export async function recordOwners(db: DataSource, id: string, from: Hex, seal: NewSeal): Promise<boolean> {
  const { affected } = await db.getRepository(WalletEntity).update({ id, sealedKey: from }, seal)
  return affected === 1
}

/** The part of a wallet that its owner sees. */
export function toWalletInfo(wallet: KnownWallet): WalletInfo {
  return {
    address: wallet.address,
    createdAt: wallet.createdAt,
    provenance: {
      entropyHash: wallet.entropyHash,
      entropySig: wallet.entropy.signature?.value ?? '',
      satelliteSource: wallet.entropy.source,
    },
  }
}
