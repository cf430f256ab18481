import type { DataSource } from 'typeorm'
import type { Bundle } from '../entities/Bundle.js'
import { WalletEntity, type Wallet } from '../entities/Wallet.js'
import { storeBundles } from './storeBundles.js'

/**
 * Stores a user's wallet, unless the user has one: then that one is returned, and the new key, which nobody else has
 * seen, is forgotten. So a user never has two keys, whatever runs twice. Null only if another unique value clashed.
 */
export async function recordWallet(
  db: DataSource,
  wallet: Wallet,
  collateral: Pick<Bundle, 'cid' | 'kind' | 'bytes'>,
): Promise<Wallet | null> {
  return db.transaction(async (manager) => {
    await storeBundles(manager, [collateral])
    await manager.createQueryBuilder().insert().into(WalletEntity).values(wallet).orIgnore().execute()
    const stored = await manager.getRepository(WalletEntity).findOneBy({ userId: wallet.userId })
    if (stored) await manager.query('UPDATE users SET kms_key_id = $2 WHERE id = $1', [stored.userId, stored.keyId])
    return stored
  })
}
