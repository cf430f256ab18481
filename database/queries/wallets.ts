import type { DataSource, EntityManager } from 'typeorm'
import type { WalletInfo } from '@perigee/core'
import { WalletEntity, type Wallet } from '../entities/Wallet.js'

type Db = DataSource | EntityManager

export function findWalletByUser(db: Db, userId: string): Promise<Wallet | null> {
  return db.getRepository(WalletEntity).findOneBy({ userId })
}

export function findWallet(db: Db, walletId: string): Promise<Wallet | null> {
  return db.getRepository(WalletEntity).findOneBy({ id: walletId })
}

/** What the wallet's owner sees of it. */
export function toWalletInfo(wallet: Wallet): WalletInfo {
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
