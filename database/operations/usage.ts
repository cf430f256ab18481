import type { DataSource } from 'typeorm'

/** What the proofs of one user that became complete on one UTC day have cost. */
export interface UsageDay {
  /** As in 2026-11-17. */
  day: string
  userId: string
  transactions: number
  messages: number
  births: number
  /** Their part of the transactions that published them. */
  gasWei: bigint
  /** Blocks on IPFS nodes: the receipt, once for each node. */
  pins: number
  /** Samples that the receipts name. */
  entropy: number
  /** Their part, by number of proofs, of what APIs and workers used that day. */
  cpuMs: number
}

// SQL: each slot's cost is divided by the number of its proofs, and each day's processor time by the day's proofs.
const usageSql = `
  WITH done AS (
    SELECT p.slug, p.kind, p.cid, p.slot_id, w.user_id, (p.status_since AT TIME ZONE 'UTC')::date AS day
      FROM publications p JOIN wallets w ON w.id = p.wallet_id
     WHERE p.status = 'complete' AND p.status_since >= $1 AND p.status_since < $2
  ), slots AS (
    SELECT s.id, s.cost_wei::numeric / count(*) AS each_wei
      FROM publisher_slots s JOIN publications p ON p.slot_id = s.id
     WHERE s.id IN (SELECT slot_id FROM done) GROUP BY s.id
  ), cpu AS (
    SELECT day, sum(milliseconds) AS ms FROM cpu_days GROUP BY day
  )
  SELECT done.day::text AS day, done.user_id AS "userId",
         count(*) FILTER (WHERE kind = 'transaction')::int AS transactions,
         count(*) FILTER (WHERE kind = 'message')::int AS messages,
         count(*) FILTER (WHERE kind = 'birth')::int AS births,
         round(coalesce(sum(slots.each_wei), 0))::text AS "gasWei",
         coalesce(sum((SELECT count(*) FROM pins WHERE pins.cid = done.cid)), 0)::int AS pins,
         count(attestation.entropy_hash)::int AS entropy,
         (coalesce(max(cpu.ms), 0) * count(*) / sum(count(*)) OVER (PARTITION BY done.day))::float8 AS "cpuMs"
    FROM done
    JOIN attestations attestation ON attestation.slug = done.slug
    LEFT JOIN slots ON slots.id = done.slot_id
    LEFT JOIN cpu ON cpu.day = done.day
   GROUP BY done.day, done.user_id
   ORDER BY done.day DESC, count(*) DESC, done.user_id`

/** Usage by user and day, the latest day first, and on each day the largest user first. */
export async function readUsage(db: DataSource, from: Date, to: Date): Promise<UsageDay[]> {
  const rows = await db.query<(Omit<UsageDay, 'gasWei'> & { gasWei: string })[]>(usageSql, [from, to])
  return rows.map((row) => ({ ...row, gasWei: BigInt(row.gasWei) }))
}

/** Adds processor time to the day of the database's clock. */
export async function addCpu(db: DataSource, program: string, milliseconds: number): Promise<void> {
  // SQL: an upsert that adds.
  await db.query(
    `INSERT INTO cpu_days AS c (day, program, milliseconds) VALUES ((now() AT TIME ZONE 'UTC')::date, $1, $2)
       ON CONFLICT (day, program) DO UPDATE SET milliseconds = c.milliseconds + excluded.milliseconds`,
    [program, Math.round(milliseconds)],
  )
}
