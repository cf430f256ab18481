import type { DataSource } from 'typeorm'
import type { Hex } from '@perigee/core'
import { appendAuditEvent } from '../auditLog/appendAuditEvent.js'
import { ResealEntity, type Reseal } from '../entities/Reseal.js'
import { WalletEntity } from '../entities/Wallet.js'
import { insertNew } from '../insertNew.js'
import { referringToBundles } from './bundles.js'

/** Replaces the sealed key `from` and keeps the evidence, with the audit event; false when the key was sealed otherwise meanwhile. */
export async function recordReseal(db: DataSource, from: Hex, to: Hex, evidence: Reseal): Promise<boolean> {
  return referringToBundles(db, () =>
    db.transaction(async (manager) => {
      const { affected } = await manager.update(
        WalletEntity,
        { id: evidence.walletId, sealedKey: from },
        { sealedKey: to },
      )
      if (affected !== 1) return false
      await insertNew(manager, ResealEntity, evidence)
      const { walletId, version } = evidence
      const { userId: subject } = await manager.findOneByOrFail(WalletEntity, { id: walletId })
      await appendAuditEvent(manager, { kind: 'key_resealed', subject, facts: { walletId, version } })
      return true
    }),
  )
}

/** Whether this seal was ever the wallet's. */
export function hasReseal(db: DataSource, evidence: Pick<Reseal, 'walletId' | 'nextSealedKeyHash'>): Promise<boolean> {
  const { walletId, nextSealedKeyHash } = evidence
  return db.getRepository(ResealEntity).existsBy({ walletId, nextSealedKeyHash })
}

// SQL: the version is the second byte of the sealed key (enclave/keys/sealing.ts), written as hex.
const countSql = `
  SELECT ('x' || substr(sealed_key, 5, 2))::bit(8)::int AS version, count(*)::int AS wallets
    FROM wallets GROUP BY version ORDER BY version`

/** How many wallets are sealed under each version of the sealing key. */
export function countBySealingVersion(db: DataSource): Promise<{ version: number; wallets: number }[]> {
  return db.query(countSql)
}
