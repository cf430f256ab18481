import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { DataSource } from 'typeorm'
import { freshDatabase, type FreshDatabase } from '../../tests/harness/index.js'
import { openDatabase } from '../dataSource.js'
import type { UsageKind } from '../entities/Usage.js'
import { closeClaim, closeClaims } from './closeClaims.js'
import { takeShare, type ShareAnswer, type ShareScope } from './takeShare.js'

let fresh: FreshDatabase
/** As many as there are API processes. */
let processes: DataSource[]
let database: DataSource
beforeAll(async () => {
  fresh = await freshDatabase()
  processes = await Promise.all([1, 2, 3].map(() => openDatabase({ url: fresh.url, poolSize: 5 })))
  database = processes[0] as DataSource
})
afterAll(async () => {
  for (const one of processes) await one.destroy()
  await fresh.drop()
})
beforeEach(() => database.query('TRUNCATE users, rate_limits CASCADE; UPDATE entropy_supply SET snapshot = NULL'))

const wide = { intervalMs: 0.01, burst: 1_000_000, perDay: 1_000_000, unsent: 1_000_000 }
const newHash = () => `0x${randomBytes(32).toString('hex')}`

async function newUser(): Promise<string> {
  const id = randomUUID()
  await database.query(
    `INSERT INTO users (id, issuer, subject, email, pepper, created_at, last_login_at)
     VALUES ($1, 'test', $2, '', $3, now(), now())`,
    [id, id, newHash()],
  )
  return id
}

interface Ask {
  hash?: string
  kind?: UsageKind
  user?: Partial<ShareScope>
  group?: { name: string } & Partial<ShareScope>
  entropyReserve?: number
  at?: DataSource
}

function take(userId: string, { hash = newHash(), kind = 'transaction', user, group, ...ask }: Ask = {}) {
  const scopes: ShareScope[] = [{ scope: 'user', key: `share/user/${userId}`, ...wide, ...user }]
  if (group) scopes.unshift({ ...wide, ...group, scope: 'group', key: `share/group/${group.name}` })
  return takeShare(ask.at ?? database, {
    userId,
    kind,
    hash,
    group: group?.name ?? null,
    scopes,
    unsentSeconds: 900,
    entropyReserve: ask.entropyReserve ?? 0,
    event: null,
  })
}

const count = (answers: ShareAnswer[], outcome: ShareAnswer['outcome']) =>
  answers.filter((answer) => answer.outcome === outcome).length

/** As the worker records it. */
async function recordSigned(userId: string, digest: string): Promise<string> {
  const [slug, walletId] = [randomBytes(16).toString('base64url'), randomUUID()]
  await database.query(
    `INSERT INTO wallets (id, user_id, key_id, address, public_key, sealed_key, subject, credentials)
     VALUES ($1, $2, $3, $4, '', '', '', '[]') ON CONFLICT DO NOTHING`,
    [walletId, userId, newHash(), newHash()],
  )
  await database.query(
    `INSERT INTO publications (slug, kind, wallet_id, tx_hash, chain_id, status)
     SELECT $1, 'transaction', id, $2, 1, 'pending_pin' FROM wallets WHERE user_id = $3`,
    [slug, newHash(), userId],
  )
  await database.query(
    `INSERT INTO transactions (slug, wallet_id, digest, metadata, signature)
     SELECT $1, id, $2, '{}', '' FROM wallets WHERE user_id = $3`,
    [slug, digest, userId],
  )
  return slug
}

const age = (userId: string, seconds: number) =>
  database.query(`UPDATE signing_claims SET claimed_at = claimed_at - make_interval(secs => $2) WHERE user_id = $1`, [
    userId,
    seconds,
  ])

test('three processes together give out a day’s share exactly', async () => {
  const userId = await newUser()
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, i) => take(userId, { user: { perDay: 17 }, at: processes[i % 3] as DataSource })),
  )
  expect([count(answers, 'taken'), count(answers, 'refused')]).toEqual([17, 43])
  const refusal = answers.find(({ outcome }) => outcome === 'refused') as ShareAnswer & { outcome: 'refused' }
  expect(refusal).toMatchObject({ share: 'user.perDay', used: 17 })
  expect(refusal.wait).toBeGreaterThan(0)
  expect(refusal.wait).toBeLessThanOrEqual(86_400)
})

test('and a group’s, whatever its members have left themselves', async () => {
  const users = await Promise.all([newUser(), newUser(), newUser()])
  const group = { name: 'team', perDay: 10 }
  const answers = await Promise.all(
    Array.from({ length: 45 }, (_, i) =>
      take(users[i % 3] as string, { group, at: processes[(i >> 1) % 3] as DataSource }),
    ),
  )
  expect(count(answers, 'taken')).toBe(10)
  expect(answers.find(({ outcome }) => outcome === 'refused')).toMatchObject({ share: 'group.perDay' })
  expect(await take(await newUser())).toMatchObject({ outcome: 'taken' })
})

test('signatures a second are a bucket that refills', async () => {
  const userId = await newUser()
  const user = { intervalMs: 500, burst: 4 }
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => take(userId, { user, at: processes[i % 3] as DataSource })),
  )
  expect(count(answers, 'taken')).toBe(4)
  const refusal = answers.find(({ outcome }) => outcome === 'refused') as ShareAnswer & { outcome: 'refused' }
  expect(refusal.share).toBe('user.perSecond')
  await new Promise((resolve) => setTimeout(resolve, refusal.wait * 1000 + 20))
  expect(await take(userId, { user })).toMatchObject({ outcome: 'taken', used: 5 })
})

test('the same request again is not counted and not refused: in flight, signed, and a day later', async () => {
  const userId = await newUser()
  const user = { perDay: 1, unsent: 1, intervalMs: 60_000, burst: 1 }
  const hash = newHash()
  const first = await Promise.all(processes.map((at) => take(userId, { hash, user, at })))
  expect([count(first, 'taken'), count(first, 'known')]).toEqual([1, 2])
  const slug = await recordSigned(userId, hash)
  await closeClaim(database, slug)
  expect(await take(userId, { hash, user })).toMatchObject({ outcome: 'known' })
  await database.query(`UPDATE usage_days SET day = day - 1`)
  expect(await take(userId, { hash, user: { ...user, perDay: 1 } })).toMatchObject({ outcome: 'known' })
  expect(await take(userId, { user })).toMatchObject({ outcome: 'refused', share: 'user.perSecond' })
})

test('what could not be signed no longer counts, and is counted again when it is asked for again', async () => {
  const userId = await newUser()
  const user = { perDay: 2 }
  const [failed, signed] = [newHash(), newHash()]
  await take(userId, { hash: failed, user })
  await take(userId, { hash: signed, user })
  await recordSigned(userId, signed)
  expect(await take(userId, { user })).toMatchObject({ outcome: 'refused' })
  await age(userId, 121)
  expect(await take(userId, { user })).toMatchObject({ outcome: 'taken', used: 2 })
  expect(await take(userId, { hash: failed, user })).toMatchObject({ outcome: 'refused' })
})

test('a request that failed yesterday counts today', async () => {
  const userId = await newUser()
  const hash = newHash()
  await take(userId, { hash })
  await database.query(`UPDATE usage_days SET day = day - 1; UPDATE signing_claims SET day = day - 1`)
  expect(await take(userId, { hash })).toMatchObject({ outcome: 'taken', used: 1 })
  const rows = await database.query(`SELECT signatures FROM usage_days WHERE user_id = $1 ORDER BY day`, [userId])
  expect(rows).toEqual([{ signatures: 0 }, { signatures: 1 }])
})

test('unsent transactions are limited at once, until one is seen or its wait is over; messages are none', async () => {
  const userId = await newUser()
  const user = { unsent: 3 }
  const hashes = [newHash(), newHash(), newHash()]
  for (const hash of hashes) expect(await take(userId, { hash, user })).toMatchObject({ outcome: 'taken' })
  const refusal = await take(userId, { user })
  expect(refusal).toMatchObject({ outcome: 'refused', share: 'user.unsent' })
  expect((refusal as { wait: number }).wait).toBeGreaterThan(890)
  expect(await take(userId, { user, kind: 'message' })).toMatchObject({ outcome: 'taken' })

  const slug = await recordSigned(userId, hashes[0] as string)
  await recordSigned(userId, hashes[1] as string)
  await closeClaim(database, slug)
  expect(await take(userId, { user })).toMatchObject({ outcome: 'taken' })
  expect(await take(userId, { user })).toMatchObject({ outcome: 'refused' })
  await age(userId, 901)
  expect(await take(userId, { user })).toMatchObject({ outcome: 'taken' })
})

test('claims that are over are closed, and what was never made leaves the count', async () => {
  const [userId, hash] = [await newUser(), newHash()]
  await take(userId, { hash })
  await take(userId, { kind: 'message' })
  await take(userId, { hash: 'birth', kind: 'birth' })
  await recordSigned(userId, hash) // makes the wallet too
  await age(userId, 121)
  await closeClaims(database, 900)
  const counts = () =>
    database.query(`SELECT signatures, messages, births FROM usage_days WHERE user_id = $1`, [userId])
  expect(await counts()).toEqual([{ signatures: 1, messages: 0, births: 1 }])
  expect(await database.query('SELECT kind FROM signing_claims ORDER BY kind')).toHaveLength(2) // unsent yet
  await age(userId, 900)
  await closeClaims(database, 900)
  expect(await database.query('SELECT kind FROM signing_claims')).toEqual([])
  expect(await counts()).toEqual([{ signatures: 1, messages: 0, births: 1 }])
})

const reserve = { entropyReserve: 20 }
/** A source that gives 100 a day, of which this many are left. */
const left = (samples: number, perDay: number | null = 100) =>
  database.query(
    `WITH supply AS (UPDATE entropy_supply SET snapshot = $1)
     INSERT INTO entropy_sources (source, next_request_at, day, day_samples)
     VALUES ('test', now(), (now() AT TIME ZONE 'UTC')::date, $2)
     ON CONFLICT (source) DO UPDATE SET day_samples = excluded.day_samples`,
    [{ sources: { test: { samplesPerDay: perDay } } }, 100 - samples],
  )

test('when entropy runs low, those wait who used more than twice the average, and nobody who used a little more', async () => {
  await left(100)
  const [heavy, eager, ...calm] = await Promise.all(Array.from({ length: 4 }, newUser))
  const takes = async (user: string | undefined, count: number) => {
    for (let i = 0; i < count; i++) expect(await take(user as string, reserve)).toMatchObject({ outcome: 'taken' })
  }
  await takes(heavy, 12)
  await takes(eager, 6)
  for (const user of calm) await takes(user, 2)
  await left(19)
  expect(await take(heavy as string, reserve)).toMatchObject({ outcome: 'refused', share: 'entropy' })
  await takes(eager, 1) // above the average of 5.5
  for (const user of calm) await takes(user, 1)
})

test('when entropy runs low, the heaviest users wait first, and nobody can take the rest alone', async () => {
  const [heavy, light] = [await newUser(), await newUser()]
  for (let i = 0; i < 30; i++) await take(heavy, reserve)
  await take(light, reserve)
  await left(20)
  expect(await take(heavy, reserve)).toMatchObject({ outcome: 'taken' })
  await left(19)
  expect(await take(heavy, reserve)).toMatchObject({ outcome: 'refused', share: 'entropy' })
  expect(await take(light, reserve)).toMatchObject({ outcome: 'taken', used: 2 })
  await left(2)
  expect(await take(light, reserve)).toMatchObject({ outcome: 'refused', share: 'entropy' })
  expect(await take(await newUser(), reserve)).toMatchObject({ outcome: 'taken' })
  await left(2, null) // one source without a limit
  expect(await take(heavy, reserve)).toMatchObject({ outcome: 'taken' })
})
