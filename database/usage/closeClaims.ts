import type { DataSource } from 'typeorm'

// SQL: a delete that finds its row through three others.
const closeSql = `
  DELETE FROM signing_claims c
   USING publications p JOIN wallets w ON w.id = p.wallet_id
         LEFT JOIN transactions t ON t.slug = p.slug LEFT JOIN messages m ON m.slug = p.slug
   WHERE p.slug = $1 AND c.user_id = w.user_id AND c.hash = coalesce(t.digest, m.request_hash, 'birth')`

/** What this proof is about no longer counts as unsent: it was sent, or nothing of ours can see whether it was. */
export async function closeClaim(database: DataSource, slug: string): Promise<void> {
  await database.query(closeSql, [slug])
}

/** Closes every claim that is over; what failed is no longer counted. */
export async function closeClaims(database: DataSource, unsentSeconds: number): Promise<void> {
  await database.query('SELECT close_claims(NULL, NULL, make_interval(secs => $1))', [unsentSeconds])
}
