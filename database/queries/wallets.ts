import type { DataSource, EntityManager } from 'typeorm'
import type { WalletInfo } from '@perigee/core'
import { WalletEntity, type Wallet } from '../entities/Wallet.js'
import { findRows } from '../prepared.js'

type Db = DataSource | EntityManager

export async function findWalletByUser(db: Db, userId: string): Promise<Wallet | null> {
  const [wallet] = await findRows(db, WalletEntity, 'find_wallet_by_user', 'WHERE t.user_id = $1', [userId])
  return wallet ?? null
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
