import { createPublicClient, http } from 'viem'
import type { Hex } from '@perigee/core'
import { repeatEvery } from '../../clients/concurrency/repeatEvery.js'
import { queryOnce } from '../../dev/stack/components/postgres.js'
import type { StackFile } from '../../dev/stack/stackFile.js'
import type { AttackEvidence, SignedRecord } from './verdict/attackCounts.js'

/** The records, and when each was asked for first: the event is committed once its share is taken, before the enclave is called. */
const signedSql = `
  WITH asked AS (
    SELECT subject, coalesce(facts->>'digest', facts->>'requestHash') AS hash, min(at) AS at
      FROM audit_events WHERE kind = 'signature_requested' GROUP BY 1, 2
  )
  SELECT w.address AS wallet, p.kind, p.tx_hash AS "txHash", to_char(p.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day,
         (extract(epoch FROM coalesce(asked.at, p.created_at)) * 1000)::float8 AS at
    FROM publications p JOIN wallets w ON w.id = p.wallet_id
    LEFT JOIN transactions t ON t.slug = p.slug LEFT JOIN messages m ON m.slug = p.slug
    LEFT JOIN asked ON asked.subject = w.user_id::text AND asked.hash = coalesce(t.digest, m.request_hash)`

/** Everything signed or made, under the name of its user. */
export async function readSigned(stack: StackFile, nameOf: ReadonlyMap<Hex, string>): Promise<SignedRecord[]> {
  type Row = Omit<SignedRecord, 'user' | 'sent'> & { wallet: Hex; txHash: Hex }
  const rows = await queryOnce<Row>(stack.databaseUrl, signedSql)
  const chain = createPublicClient({ transport: http(stack.rpcUrl, { batch: true, timeout: 60_000 }) })
  return Promise.all(
    rows.map(async ({ wallet, txHash, ...record }) => {
      const isSent = async () => (await chain.getTransaction({ hash: txHash }).catch(() => null)) !== null
      const sent = record.kind === 'transaction' && (await isSent())
      return { ...record, sent, user: nameOf.get(wallet) ?? wallet }
    }),
  )
}

/** Samples that the source gave today. */
export async function readGiven({ databaseUrl }: StackFile): Promise<number> {
  const [row] = await queryOnce<{ given: number }>(
    databaseUrl,
    `SELECT coalesce(sum(day_samples), 0)::int AS given FROM entropy_sources
      WHERE day = (clock_timestamp() AT TIME ZONE 'UTC')::date`,
  )
  return row?.given ?? 0
}

/** Looks at the places of event streams until `stop`, and keeps the most that each user and each address had. */
export function watchPlaces({ databaseUrl }: StackFile) {
  const most = new Map<string, AttackEvidence['streams'][0]>()
  let failure: unknown
  const placesSql = `
    SELECT 'user' AS kind, user_id::text AS holder, count(*)::int AS most FROM stream_places
     WHERE user_id IS NOT NULL AND until > clock_timestamp() GROUP BY user_id
    UNION ALL
    SELECT 'address', address, count(*)::int FROM stream_places WHERE until > clock_timestamp() GROUP BY address`
  const look = async () => {
    for (const row of await queryOnce<AttackEvidence['streams'][0]>(databaseUrl, placesSql)) {
      const key = `${row.kind} ${row.holder}`
      if (row.most > (most.get(key)?.most ?? 0)) most.set(key, row)
    }
  }
  const watch = repeatEvery(1_000, look, (error) => (failure = error))
  return {
    async stop(): Promise<AttackEvidence['streams']> {
      await watch.stop()
      if (failure !== undefined) throw failure
      return [...most.values()]
    },
  }
}
