import type { Hex } from 'viem'
import { afterEach, expect, test, vi } from 'vitest'
import type { ChainConfig } from '../../clients/chain/ChainConfig.js'
import { createChain } from '../../clients/chain/createChain.js'
import { anchorAge, appendAuditEvent, isAuditLogBroken } from '../../database/index.js'
import { installQuietRuntime } from '../../tests/rigs/workers/quietRuntime.js'
import { useChainRig } from '../../tests/rigs/publishing/useChainRig.js'
import { createHeadKeeper } from './createHeadKeeper.js'

installQuietRuntime()
const rig = useChainRig({ oldRights: true })
afterEach(() => void vi.useRealTimers())

const keep = (input = {}, changes: Partial<ChainConfig> = {}) =>
  createHeadKeeper({ database: rig.database, chain: createChain(rig.config(changes)) })(input)
const sql = (text: string) => rig.database.query(text)
async function write(count: number): Promise<void> {
  const event = { at: new Date(), kind: 'sign_in', subject: null, facts: {} } as const
  for (let n = 0; n < count; n++) await appendAuditEvent(rig.database, event)
}
async function anchor(): Promise<number> {
  const { sequence } = await keep()
  await rig.env.run(rig.activities().publishAuditHead, { sequence })
  return sequence
}

test('a log that grows is kept from anchor to anchor, from the empty one on', async () => {
  expect(await anchor()).toBe(0)
  expect(await anchor()).toBe(0) // nothing new
  await write(3)
  expect(await anchor()).toBe(3)
  await write(1_001) // more than a page
  expect(await anchor()).toBe(1_004)
  expect(await rig.slots()).toHaveLength(3)
  expect(await isAuditLogBroken(rig.database)).toBe(false)
})

const tampering: [string, number, string[]][] = [
  ['an event since the last anchor was changed', 5, [`UPDATE audit_events SET kind = 'sign_out' WHERE sequence = 5`]],
  ['the anchored event was changed', 3, [`UPDATE audit_events SET kind = 'sign_out' WHERE sequence = 3`]],
  ['an event was removed', 5, ['DELETE FROM audit_events WHERE sequence = 4']],
  [
    'the end was cut off, with the anchored event',
    3,
    [
      'DELETE FROM audit_events WHERE sequence > 2',
      'UPDATE audit_head SET sequence = 2, hash = (SELECT hash FROM audit_events WHERE sequence = 2)',
    ],
  ],
  ['the head names an event that does not exist', 7, ['UPDATE audit_head SET sequence = 9']],
  [
    'the record of the anchor was changed with the log',
    3,
    [`UPDATE audit_anchors SET hash = '0x${'11'.repeat(32)}' WHERE sequence = 3`],
  ],
]

test.each(tampering)('refuses to go on when %s', async (_what, sequence, changes) => {
  await write(3)
  await anchor()
  await write(3)
  for (const change of changes) await sql(change)
  await expect(keep()).rejects.toMatchObject({ code: 'audit_log_broken', facts: { sequence } })
  expect(await isAuditLogBroken(rig.database)).toBe(true)
  expect(await sql('SELECT sequence FROM audit_anchors')).toHaveLength(1)
})

test('refuses to go on when the event that was kept for an anchor was rewritten, with correct hashes', async () => {
  await write(2)
  await keep() // not published yet
  await sql('DELETE FROM audit_events WHERE sequence = 2')
  await sql('UPDATE audit_head SET sequence = 1, hash = (SELECT hash FROM audit_events WHERE sequence = 1)')
  await appendAuditEvent(rig.database, { at: new Date(), kind: 'sign_out', subject: null, facts: {} })
  await expect(keep()).rejects.toMatchObject({ code: 'audit_log_broken', facts: { sequence: 2 } })
  expect(await isAuditLogBroken(rig.database)).toBe(true)
})

test('after a change of contract the last anchor counts on the former one, and on no other', async () => {
  await write(2)
  await anchor()
  await write(1)
  const contract: Hex = `0x${'22'.repeat(20)}`
  const formerContracts = [{ contract: rig.config().contract, block: 0 }]
  expect((await keep({}, { contract, formerContracts })).sequence).toBe(3)
  expect(await isAuditLogBroken(rig.database)).toBe(false)
  await expect(keep({}, { contract })).rejects.toMatchObject({ code: 'audit_log_broken', facts: { sequence: 2 } })
})

test('a log that is whole again is no longer called broken', async () => {
  await write(2)
  await sql(`UPDATE audit_events SET kind = 'sign_out' WHERE sequence = 2`)
  await expect(keep()).rejects.toMatchObject({ code: 'audit_log_broken' })
  await sql(`UPDATE audit_events SET kind = 'sign_in' WHERE sequence = 2`)
  expect((await keep()).sequence).toBe(2)
  expect(await isAuditLogBroken(rig.database)).toBe(false)
})

test('an anchor that a reorg took is waited for, and does not make the log broken', async () => {
  await write(1)
  await anchor()
  await write(1)
  await rig.anvil.client.setAutomine(false)
  await rig.anvil.reorg(1)
  await expect(keep()).rejects.toMatchObject({ code: 'chain_unavailable' })
  expect(await isAuditLogBroken(rig.database)).toBe(false)
  await rig.env.run(rig.activities().reopenReorged, { seconds: 3600 }) // now the record knows it too
  expect((await keep()).sequence).toBe(2)
})

test('the clock of a worker says nothing about when a head was read', async () => {
  await write(1)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 365 * 86_400_000 })
  const { at } = await keep()
  vi.useRealTimers()
  expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(60_000)
})

test('the age of what is not anchored is that of its first event, and a quiet log has none', async () => {
  expect(await anchorAge(rig.database)).toBe(0)
  const event = { kind: 'sign_in', subject: null, facts: {} } as const
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000)
  await appendAuditEvent(rig.database, { ...event, at: ago(50) })
  expect(await anchorAge(rig.database)).toBeGreaterThan(49 * 3_600)
  await anchor()
  await sql(`UPDATE audit_anchors SET at = now() - interval '50 hours'`)
  expect(await anchorAge(rig.database)).toBe(0) // nothing was added for two days: nothing could be rewritten unnoticed
  await appendAuditEvent(rig.database, { ...event, at: ago(2) })
  await appendAuditEvent(rig.database, { ...event, at: ago(1) })
  expect(Math.round((await anchorAge(rig.database)) / 3_600)).toBe(2)
  await appendAuditEvent(rig.database, { ...event, at: ago(-9_000) }) // an API whose clock is wrong
  await anchor()
  await appendAuditEvent(rig.database, { ...event, at: ago(-9_000) })
  expect(await anchorAge(rig.database)).toBe(0)
})
