import { afterAll, beforeAll, expect, test } from 'vitest'
import { transactionDigest } from '@perigee/core'
import { appendAuditEvent, createDataSource, verifyAuditLog } from '../../database/index.js'
import { exampleTransaction } from '../testing/exampleTransaction.js'
import { noShares } from '../../tests/rigs/api/noLimits.js'
import { startTestApi, type TestApi } from '../../tests/rigs/api/startTestApi.js'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.close())

const kinds = async () =>
  (await api.database.query<{ kind: string }[]>(`SELECT kind FROM audit_events ORDER BY sequence`)).map(
    ({ kind }) => kind,
  )

test('records sign-ins, requests to sign and sign-outs, without e-mail addresses', async () => {
  const browser = await api.signIn('audited@example.test')
  await api.post(browser, '/wallet/provision')
  await api.post(browser, '/sign/digest', {
    digest: transactionDigest(exampleTransaction),
    txMetadata: exampleTransaction,
  })
  await api.post(browser, '/auth/logout', { everywhere: true })
  expect(await kinds()).toEqual(['sign_in', 'signature_requested', 'sign_out_everywhere'])
  const rows = await api.database.query<unknown[]>(`SELECT e::text FROM audit_events e`)
  expect(JSON.stringify(rows)).not.toContain('@')
})

test('a request to sign is in the log unless it is refused, and counts only together with its event', async () => {
  const own = await startTestApi({ settings: { shares: { ...noShares, users: { ...noShares.users, perDay: 2 } } } })
  const kindsOf = async (): Promise<unknown> => own.database.query('SELECT kind, facts FROM audit_events OFFSET 1')
  const counted = async (): Promise<unknown> => own.database.query('SELECT signatures FROM usage_days')
  try {
    const browser = await own.signIn('counted@example.test')
    await own.post(browser, '/wallet/provision') // one of two
    const sign = async (nonce: number) => {
      const txMetadata = { ...exampleTransaction, nonce }
      return (await own.post(browser, '/sign/digest', { digest: transactionDigest(txMetadata), txMetadata })).status
    }
    await own.database.query('ALTER TABLE audit_events ADD CONSTRAINT broken CHECK (false) NOT VALID')
    expect(await sign(1)).toBe(500)
    await own.database.query('ALTER TABLE audit_events DROP CONSTRAINT broken')
    expect([await kindsOf(), await counted()]).toEqual([[], [{ signatures: 0 }]])

    expect([await sign(1), await sign(1), await sign(2)]).toEqual([200, 200, 429])
    const digest = transactionDigest({ ...exampleTransaction, nonce: 1 })
    const event = { kind: 'signature_requested', facts: { digest, chainId: exampleTransaction.chainId } }
    expect([await kindsOf(), await counted()]).toMatchObject([[event, event], [{ signatures: 1 }]])
  } finally {
    await own.close()
  }
})

test('events of many writers at once form one chain', async () => {
  const write = (index: number, database = api.database) =>
    appendAuditEvent(database, { at: new Date(), kind: 'sign_in', subject: null, facts: { index, text: 'ä"\\' } })
  await Promise.all(Array.from({ length: 30 }, (_, index) => write(index)))
  for (let index = 30; index < 40; index++) await write(index) // no other writer: each knows the head
  // Another process, whose events this one has not seen.
  const other = await createDataSource({ url: api.databaseUrl }).initialize()
  try {
    for (let index = 40; index < 60; index++) await write(index, index % 2 === 0 ? other : api.database)
  } finally {
    await other.destroy()
  }
  expect(await verifyAuditLog(api.database)).toMatchObject({ events: 63, faults: [] })
})

test('each of 567 edits and deletions is found', async () => {
  const edits = [
    `DELETE FROM audit_events WHERE sequence = $1`,
    `UPDATE audit_events SET kind = kind || '.' WHERE sequence = $1`,
    `UPDATE audit_events SET at = at + interval '1 ms' WHERE sequence = $1`,
    `UPDATE audit_events SET subject = coalesce(subject, '') || 'x' WHERE sequence = $1`,
    `UPDATE audit_events SET facts = facts || '{"more": 1}' WHERE sequence = $1`,
    `UPDATE audit_events SET hash = sha256(hash) WHERE sequence = $1`,
    `UPDATE audit_events SET previous_hash = sha256(previous_hash) WHERE sequence = $1`,
    `UPDATE audit_events SET sequence = sequence + 100 WHERE sequence = $1`,
    `DELETE FROM audit_events WHERE sequence >= $1`,
  ]
  const sequences = Array.from({ length: 63 }, (_, index) => index + 1)
  const cases = edits.flatMap((edit) => sequences.map((sequence) => ({ edit, sequence }))) // each kind, at every event
  expect(cases).toHaveLength(567)
  for (const { edit, sequence } of cases) {
    const runner = api.database.createQueryRunner()
    await runner.startTransaction()
    try {
      await runner.query(edit, [sequence])
      const { faults } = await verifyAuditLog(runner.manager)
      expect(faults.length, `${edit} at ${sequence}`).toBeGreaterThan(0)
    } finally {
      await runner.rollbackTransaction()
      await runner.release()
    }
  }
})
