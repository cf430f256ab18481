import type { DataSource } from 'typeorm'
import type { Hex } from '@perigee/core'
import { AttestationEntity, type Attestation } from '../entities/Attestation.js'
import type { Bundle } from '../entities/Bundle.js'
import { PublicationEntity } from '../entities/Publication.js'
import { TransactionEntity, type Transaction } from '../entities/Transaction.js'
import { storeBundles } from './storeBundles.js'

/** One signature with its evidence, and the bundles that its receipt names. */
export interface SignatureRecord {
  transaction: Transaction
  attestation: Attestation
  bundles: Pick<Bundle, 'cid' | 'kind' | 'bytes'>[]
}

/** The signature this wallet already gave for this digest. */
export function findTransaction(db: DataSource, walletId: string, digest: Hex): Promise<Transaction | null> {
  return db.getRepository(TransactionEntity).findOneBy({ walletId, digest })
}

/**
 * The promise of the service, in one database transaction: the signature, the evidence for it and the intent to publish
 * its receipt exist together or not at all. The row (wallet, digest) that came first wins; whoever comes second gets it.
 */
export async function recordSignature(db: DataSource, record: SignatureRecord): Promise<Transaction> {
  const { transaction, attestation, bundles } = record
  return db.transaction(async (manager) => {
    await storeBundles(manager, bundles)
    const inserted = await manager
      .createQueryBuilder()
      .insert()
      .into(TransactionEntity)
      .values(transaction)
      .orIgnore()
      .returning(['id'])
      .execute()
    if ((inserted.raw as unknown[]).length === 0) {
      const { walletId, digest } = transaction
      return manager.getRepository(TransactionEntity).findOneByOrFail({ walletId, digest })
    }
    await manager.insert(AttestationEntity, attestation)
    await manager.insert(PublicationEntity, {
      slug: transaction.slug,
      status: 'pending_pin',
      statusSince: transaction.createdAt,
      createdAt: transaction.createdAt,
    })
    return transaction
  })
}
