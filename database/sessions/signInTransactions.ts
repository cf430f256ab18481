import type { DataSource } from 'typeorm'

/**
 * Marks a sign-in transaction as used. True the first time, false ever after: a copied transaction cookie is worth
 * nothing once its owner came back, whichever API process either of them reaches.
 */
export async function useSignInTransaction(database: DataSource, id: string, expiresAt: Date): Promise<boolean> {
  const rows: unknown[] = await database.query(
    `INSERT INTO sign_in_transactions (id, expires_at) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING RETURNING id`,
    [id, expiresAt],
  )
  return rows.length === 1
}

/** Forgets what can no longer matter: sessions dead for a month, transactions past their expiry. */
export async function sweepSessions(database: DataSource, now: Date): Promise<void> {
  const monthAgo = new Date(now.getTime() - 30 * 86_400_000)
  await database.query(`DELETE FROM sessions WHERE expires_at < $1 OR revoked_at < $1`, [monthAgo])
  await database.query(`DELETE FROM sign_in_transactions WHERE expires_at < $1`, [now])
}
