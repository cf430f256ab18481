import type { DataSource } from 'typeorm'
import { WalletEntity, type Wallet } from '../entities/Wallet.js'
import { prepared, toRow } from '../prepared.js'
import { forgetStoredBundles } from './storeBundles.js'

/**
 * Stores a user's wallet, unless the user has one: then that one is returned, and the new key, which nobody else has
 * seen, is forgotten. So a user never has two keys, whatever runs twice. Null only if another unique value clashed.
 */
export async function recordWallet(db: DataSource, wallet: Wallet): Promise<Wallet | null> {
  try {
    const [made] = await prepared<{ id: string }>(db, 'record_wallet', recordSql, [toRow(WalletEntity, wallet)])
    if (made) return wallet
  } catch (error) {
    forgetStoredBundles(db) // a bundle we remember may be gone: the retry looks again
    throw error
  }
  return db.getRepository(WalletEntity).findOneBy({ userId: wallet.userId })
}

const recordSql = `
  WITH made AS (
    INSERT INTO wallets SELECT * FROM jsonb_populate_record(NULL::wallets, $1)
    ON CONFLICT DO NOTHING RETURNING id, user_id, key_id
  ), named AS (
    UPDATE users u SET kms_key_id = made.key_id FROM made WHERE u.id = made.user_id
  )
  SELECT id FROM made`
