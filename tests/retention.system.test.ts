import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DataSource } from 'typeorm'
import { toHex } from '@perigee/core'
import type { EntropySample } from '@perigee/core/entropy'
import { addProofs } from './rigs/addProofs.js'
import { sampleReceiptInput } from '../core/receipt/testing/sampleReceiptInput.js'
import {
  appendAuditEvent,
  claimIdempotencyKey,
  countInFlight,
  createDataSource,
  deleteExpired,
  findLiveSession,
  findSigner,
  findUnfinished,
  findWalletByUser,
  getProof,
  insertSession,
  storeSamples,
  takeFromLimit,
  takeSample,
  verifyAuditLog,
} from '../database/index.js'
import { freshDatabase, type FreshDatabase } from './harness/index.js'
import { seedProof, type SeededProof } from './rigs/publishing/seedProof.js'

const [days, people, perDay] = [365, 200, 150] // signatures: a tenth of the usual day's entropy
const sender = `0x${'ab'.repeat(20)}` as const
let fresh: FreshDatabase
let database: DataSource
let proof: SeededProof

const count = async (table: string, where = 'true') =>
  (await database.query<[{ n: number }]>(`SELECT count(*) AS n FROM ${table} WHERE ${where}`))[0].n

/** What a year leaves behind in the tables that have a rule. `d` is the age in days, `i` counts within a day. */
const year = `
  INSERT INTO users (issuer, subject, email, pepper, created_at, last_login_at)
    SELECT 'test', 'person ' || i, '', '0x' || repeat('00', 32), now(), now() FROM generate_series(1, ${people}) i;
  CREATE TEMP TABLE person AS SELECT id, row_number() OVER () AS i FROM users;
  CREATE TEMP TABLE visit AS SELECT p.id AS user_id, d, now() - d * interval '1 day' AS at, d || '/' || p.i AS name
    FROM person p, generate_series(0, ${days - 1}) d;
  INSERT INTO sessions (secret_hash, user_id, created_at, last_seen_at, expires_at, revoked_at)
    SELECT sha256(name::bytea), user_id, at, at, at + interval '7 days', CASE WHEN d % 2 = 0 THEN at END FROM visit;
  INSERT INTO sign_in_transactions (id, expires_at) SELECT name, at + interval '10 min' FROM visit;
  INSERT INTO rate_limits (key, free_at) SELECT name, at + interval '1 hour' FROM visit;
  INSERT INTO idempotency_keys (user_id, route, key_hash, fingerprint, owner, status, body, locked_until, expires_at)
    SELECT user_id, '/sign/digest', sha256(name::bytea), '', gen_random_uuid(), CASE WHEN d % 10 > 0 THEN 200 END, '{}',
           at + interval '8 s', at + interval '1 day' FROM visit;
  INSERT INTO idempotency_keys (user_id, route, key_hash, fingerprint, owner, locked_until, expires_at)
    SELECT id, '/sign/message', '', '', gen_random_uuid(), now() - interval '2 hours', now() + interval '22 hours' FROM person;
  INSERT INTO entropy_samples (witness_hash, value, source, provenance, received_at, fresh_until, sample, purpose, taken_at)
    SELECT '0x' || encode(sha256(('witness' || d || '/' || i)::bytea), 'hex'),
           '0x' || encode(sha256((d || '/' || i)::bytea), 'hex'), 'satellite', 'simulated', 0, 0, '{}', 'sign:' || d || '/' || i,
           now() - d * interval '1 day' FROM generate_series(0, ${days - 1}) d, generate_series(1, ${perDay}) i;
  INSERT INTO stream_places (id, address, until) SELECT gen_random_uuid(), name, at + interval '1 hour' FROM visit;
  INSERT INTO usage_days (user_id, day, signatures)
    SELECT id, current_date - d, 1 FROM person, generate_series(0, ${days + 99}) d;
  INSERT INTO cpu_days (day, program, milliseconds)
    SELECT current_date - d, 'api', 1 FROM generate_series(0, ${days + 99}) d;
  INSERT INTO webhook_deliveries (event_id, application, type, data, state, ended_at)
    SELECT name, 'shop', 'proof.complete', '{}', CASE WHEN d % 100 = 50 THEN 'dead' ELSE 'delivered' END, at FROM visit;
  INSERT INTO webhook_deliveries (event_id, application, type, data, occurred_at)
    SELECT 'waiting ' || name, 'shop', 'proof.complete', '{}', at FROM visit;
  INSERT INTO publisher_slots (id, chain_id, sender, nonce, state, calldata, gas, created_at)
    SELECT gen_random_uuid(), 31337, '${sender}', d * 20 + i, CASE WHEN d = 0 OR (d = ${days - 1} AND i = 1) THEN 'open' ELSE 'confirmed' END,
           '0x' || repeat('ab', 1000), '1', now() - d * interval '1 day'
      FROM generate_series(0, ${days - 1}) d, generate_series(1, 20) i;
  INSERT INTO publisher_transactions (tx_hash, slot_id, raw, max_fee_per_gas, max_priority_fee_per_gas, created_at)
    SELECT '0x' || id, id, '0x' || repeat('cd', 1000), '1', '1', created_at FROM publisher_slots`

beforeAll(async () => {
  fresh = await freshDatabase()
  database = await createDataSource({ url: fresh.url }).initialize()
  const connection = database.createQueryRunner() // temporary tables belong to their connection
  await connection.query('SET statement_timeout = 0') // a busy machine takes its time to write a year
  for (const sql of year.split(';')) await connection.query(sql)
  await connection.query('RESET statement_timeout')
  await connection.release()
  proof = await seedProof(database, { chainId: 31337, contract: sender })
  await database.query(
    `UPDATE publications SET status = 'complete', cid = 'a cid', receipt = '{}', onchain_tx_hash = '0x01',
            onchain_block_number = 1 WHERE slug = $1`,
    [proof.slug],
  )
  await addProofs(database, 5_000)
}, 300_000)
afterAll(async () => {
  await database.destroy()
  await fresh.drop()
})

test('after a year every table with a rule is as large as its rule says, and what must stay is there', async () => {
  const taken = await deleteExpired(database)
  expect(Object.values(taken).every((rows) => rows > 0)).toBe(true)
  // 30 days after a session ended, and it ends after seven: those of 37 days; the revoked half after 30.
  expect(await count('sessions')).toBeLessThanOrEqual(people * 37)
  expect(await count('sessions', `expires_at > now()`)).toBe(people * 7) // none that may be alive is gone
  expect(await count('sign_in_transactions')).toBe(people)
  expect(await count('rate_limits')).toBe(people)
  expect(await count('idempotency_keys')).toBe(people)
  expect(await count('entropy_samples', 'purpose IS NOT NULL')).toBe(30 * perDay)
  expect(await count('used_entropy')).toBe((days - 30) * perDay)
  expect(await count('stream_places')).toBe(people)
  expect(await count('usage_days')).toBe(people * 401)
  expect(await count('cpu_days')).toBe(401)
  expect(await count('webhook_deliveries', `state = 'delivered'`)).toBe(30 * people)
  expect(await count('webhook_deliveries', `state = 'dead'`)).toBe(people) // the youngest of four days
  expect(await count('webhook_deliveries', `state = 'pending'`)).toBe(90 * people)
  // The one more is a year old and still open: its transaction may have to be sent again.
  expect(await count('publisher_slots', `calldata <> '0x'`)).toBe(90 * 20 + 1)
  expect(await count('publisher_transactions', `raw <> '0x'`)).toBe(90 * 20 + 1)
  expect(await count('publisher_slots')).toBe(days * 20) // nonces and hashes are kept
  expect(await count('publications', `status = 'complete'`)).toBe(5_001)
  expect((await verifyAuditLog(database)).faults).toEqual([])
  // A second run finds nothing.
  expect(Object.values(await deleteExpired(database)).every((rows) => rows === 0)).toBe(true)
})

test('a value that served and was deleted is never accepted again, and nobody can make the database forget it', async () => {
  const [old] = await database.query<[{ value: Buffer }]>('SELECT value FROM used_entropy LIMIT 1')
  const offer = (value: `0x${string}`) => {
    const sample: EntropySample = { ...sampleReceiptInput().entropy, value, sequence: null }
    return storeSamples(database, [{ sample, freshUntil: 2_000_000_000 }])
  }
  expect(await offer(toHex(old.value))).toBe('repeated')
  expect(await offer(toHex(randomBytes(32)))).toBe('stored')
  for (const forget of ['DELETE FROM used_entropy', `UPDATE used_entropy SET value = '\\x00'`]) {
    await expect(database.query(forget)).rejects.toMatchObject({ driverError: { code: '23514' } })
  }
  // Not before its time, and not by making it look older.
  for (const change of [
    'DELETE FROM entropy_samples WHERE purpose IS NOT NULL',
    `UPDATE entropy_samples SET taken_at = now() - interval '1 year' WHERE purpose IS NOT NULL`,
  ]) {
    await expect(database.query(change)).rejects.toMatchObject({ driverError: { code: '23514' } })
  }
})

test('the statements of every signature find their rows by an index', async () => {
  await database.query('VACUUM ANALYZE')
  const [user] = await database.query<[{ id: string }]>(`SELECT user_id AS id FROM wallets LIMIT 1`)
  const filter = { freshAt: 1_000_000_000, sources: ['satellite'], levels: ['simulated' as const] }
  const secretHash = randomBytes(32)
  const key = { keyHash: randomBytes(32), fingerprint: randomBytes(32), owner: randomUUID() }
  const later = new Date(Date.now() + 60_000)
  const statements = await recording(async () => {
    await insertSession(database, { secretHash, userId: user.id, createdAt: new Date(), expiresAt: later })
    await findLiveSession(database, secretHash, new Date(), new Date(0))
    await takeFromLimit(database, 'sign/someone', { intervalMs: 100, burst: 5 })
    await claimIdempotencyKey(database, { userId: user.id, route: '/sign/digest', ...key })
    await findWalletByUser(database, user.id)
    await findSigner(database, proof.walletId, proof.digest)
    await takeSample(database, 'sign:now', filter)
    await appendAuditEvent(database, { at: new Date(), kind: 'sign_in', subject: null, facts: {} })
    await getProof(database, proof.slug)
    await findUnfinished(database, 60, 500)
    await countInFlight(database, 31337, sender, 0)
  })
  expect(statements.length).toBeGreaterThanOrEqual(11)
  for (const { sql, values } of statements) {
    const plan = await database.query<{ 'QUERY PLAN': string }[]>(`EXPLAIN ${sql}`, values)
    const text = plan.map((line) => line['QUERY PLAN']).join('\n')
    const scanned =
      /Seq Scan on (sessions|idempotency_keys|entropy_samples|publications|transactions|attestations|audit_events)/
    expect(text, sql).not.toMatch(scanned)
  }
})

interface Statement {
  sql: string
  values: unknown[]
}

/** The statements that `work` sends. */
async function recording(work: () => Promise<void>): Promise<Statement[]> {
  const statements: Statement[] = []
  const { logger } = database
  const listen = {
    logQuery: (sql: string, values: unknown[] = []) => {
      if (/^\s*(WITH|SELECT|INSERT|UPDATE|DELETE)/.test(sql)) statements.push({ sql, values })
    },
  }
  Object.assign(database, { logger: Object.assign(Object.create(logger) as object, listen) })
  try {
    await work()
  } finally {
    Object.assign(database, { logger })
  }
  return statements
}
