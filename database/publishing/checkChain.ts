import type { DataSource } from 'typeorm'

// SQL: a union of two counts. Of publications it reads only those that are not complete, which are few.
const elsewhereSql = `
  SELECT "chainId", sum(proofs)::int AS proofs, sum(transactions)::int AS transactions
    FROM (SELECT (a.anchors->'publication'->>'chainId')::bigint AS "chainId", 1 AS proofs, 0 AS transactions
            FROM publications p JOIN attestations a ON a.slug = p.slug
           WHERE p.status <> 'complete' AND p.abandoned_at IS NULL
           UNION ALL SELECT chain_id, 0, 1 FROM publisher_slots WHERE state = 'open') open
   WHERE "chainId" <> $1 GROUP BY "chainId" ORDER BY "chainId" LIMIT 1`

/**
 * Throws one line while something is unfinished on another chain than the one that is published on: nothing would follow it
 * there, and a receipt that names that chain would be published on this one.
 */
export async function checkChain(db: DataSource, chainId: number): Promise<void> {
  type Row = { chainId: number; proofs: number; transactions: number }
  const [other] = await db.query<Row[]>(elsewhereSql, [chainId])
  if (!other) return
  const left = `${other.proofs} unfinished proofs and ${other.transactions} transactions in flight`
  throw new Error(
    `CHAIN_ID is ${chainId}, but the database has ${left} on chain ${other.chainId}: finish them there first (docs/operations.md, "Another contract")`,
  )
}
