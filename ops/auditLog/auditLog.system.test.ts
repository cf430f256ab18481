import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyCid } from '@perigee/core'
import { createKuboNode } from '../../clients/ipfs/createKuboNode.js'
import { appendAuditEvent, findAnchor, isAuditLogBroken } from '../../database/index.js'
import { anchorScheduleId, ensureSchedules } from '../../temporal/index.js'
import { keepHistory } from '../../temporal/testing/keepHistory.js'
import { components, deployForTests } from '../../tests/harness/index.js'
import { opsVariables } from '../../tests/rigs/publishing/opsVariables.js'
import { startPublishingRig, type PublishingRig } from '../../tests/rigs/publishing/startPublishing.js'
import { run } from '../run.js'

const folder = mkdtempSync(join(tmpdir(), 'perigee-audit-log-'))
let rig: PublishingRig
let env: Record<string, string>

beforeAll(async () => {
  const testChain = await deployForTests(components().rpcUrl) // anchors of other logs would contradict this one's
  rig = await startPublishingRig({ testChain })
  await rig.startWorkers()
  env = {
    ...opsVariables(rig),
    IPFS_API_URLS: components().ipfsApiUrl,
  }
})
afterAll(async () => {
  await rig.close()
  rmSync(folder, { recursive: true })
})

async function ops(args: string[], variables = env): Promise<{ code: number; text: string }> {
  const lines: string[] = []
  const console = { print: (line: string) => lines.push(line), complain: (line: string) => lines.push(line) }
  return { code: await run(['audit-log', ...args], variables, console, folder), text: lines.join('\n') }
}
const write = (count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, index) =>
      appendAuditEvent(rig.database, { at: new Date(), kind: 'sign_in', subject: null, facts: { index } }),
    ),
  )
const sequenceNow = async () =>
  (await rig.database.query<[{ sequence: number }]>('SELECT sequence FROM audit_head'))[0].sequence

test('the head is pinned and in the contract’s log, once, and every event up to it is vouched for', async () => {
  const proof = await rig.seed()
  await (await rig.publish(proof)).result()
  await write(20)
  const sequence = await sequenceNow()
  const anchored = await ops(['anchor'])
  expect(anchored).toMatchObject({ code: 0, text: expect.stringContaining(`event ${sequence} is anchored in block`) })
  await keepHistory(rig.client, anchorScheduleId, 'anchor')

  const anchor = await findAnchor(rig.database, sequence)
  const document = await createKuboNode(components().ipfsApiUrl).read?.(anchor?.cid ?? '')
  verifyCid(anchor?.cid ?? '', document as Uint8Array)
  expect(JSON.parse(new TextDecoder().decode(document as Uint8Array))).toEqual({
    version: 'perigee-audit-head/1',
    sequence,
    hash: anchor?.hash,
    at: anchor?.at,
  })

  expect((await ops(['anchor'])).text).toBe(anchored.text) // nothing new: nothing is sent
  await write(3)
  const { code, text } = await ops(['verify'])
  expect(code).toBe(0)
  expect(text).toContain(`PASS  ${sequence + 3} events`)
  expect(text).toContain('1 of 1 anchors agree; 3 events follow the last of them')
})

test('after a change of contract the anchors of the former one still vouch for the log', async () => {
  const contract = `0x${'22'.repeat(20)}`
  const moved = { ...env, CONTRACT_ADDRESS: contract, FORMER_CONTRACTS: `${rig.chainConfig.contract}@0` }
  expect((await ops(['verify'], moved)).text).toContain('1 of 1 anchors agree')
  expect((await ops(['verify'], { ...env, CONTRACT_ADDRESS: contract })).text).toContain('0 of 0 anchors agree')
})

test('the schedule anchors too, and its event confuses neither what is known of events nor of nonces', async () => {
  await ensureSchedules(rig.client)
  await rig.client.schedule.getHandle(anchorScheduleId).trigger()
  const sequence = await sequenceNow()
  await expect
    .poll(async () => (await findAnchor(rig.database, sequence))?.onchainTxHash, { timeout: 60_000 })
    .toMatch(/^0x/)
  const lines: string[] = []
  const console = { print: (line: string) => lines.push(line), complain: (line: string) => lines.push(line) }
  const only = ['--only', 'events', 'publishers']
  expect(await run(['reconcile', ...only], env, console, folder), lines.join('\n')).toBe(0)
  expect(lines.join('\n')).toContain('3 nonces') // one proof, two anchors
})

test('a stranger with the export and the chain finds what was rewritten or cut off; without the database', async () => {
  const file = join(folder, 'events.jsonl')
  expect((await ops(['export', file])).code).toBe(0)
  expect((await ops(['export', file])).code).toBe(3) // an export is never replaced
  const { CHAIN_ID, CHAIN_RPC_URLS, CONTRACT_ADDRESS } = env as Record<string, string>
  const stranger = { CHAIN_ID, CHAIN_RPC_URLS, CONTRACT_ADDRESS } as Record<string, string>
  const check = async (lines: readonly string[]) => {
    const copy = join(folder, 'copy.jsonl')
    writeFileSync(copy, `${lines.join('\n')}\n`)
    return ops(['verify', '--file', copy], stranger)
  }
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  expect(lines.join()).not.toContain('@')
  expect((await check(lines)).code).toBe(0)
  const edited = lines.map((line, index) => (index === 4 ? line.replace('sign_in', 'sign_out') : line))
  expect(await check(edited)).toMatchObject({ code: 1, text: expect.stringContaining('event 5: was changed') })
  const cut = lines.slice(0, -5)
  expect(await check(cut)).toMatchObject({ code: 1, text: expect.stringContaining('is missing, and block') })
  expect((await check([...lines, 'nonsense'])).code).toBe(3)
})

test('a whole log that was rewritten after an anchor is found, although its chain is in order', async () => {
  const events = await rig.database.query<{ at: Date; kind: string; subject: string | null; facts: object }[]>(
    'SELECT at, kind, subject, facts FROM audit_events ORDER BY sequence',
  )
  await rig.database.query(`DELETE FROM audit_events`)
  await rig.database.query(`UPDATE audit_head SET sequence = 0, hash = decode(repeat('00', 32), 'hex')`)
  for (const [index, { facts, ...event }] of events.entries()) {
    const changed = index === 2 ? { ...facts, index: 99 } : facts
    await appendAuditEvent(rig.database, { ...event, facts: changed } as Parameters<typeof appendAuditEvent>[1])
  }
  const { code, text } = await ops(['verify'])
  expect(code).toBe(1)
  expect(text).not.toContain('was changed') // by itself the chain looks right
  expect(text.match(/is not the event that block \d+ anchors/g)).toHaveLength(2)
})

test('a broken log is not anchored until an operator accepts it, and every worker’s metric shows it', async () => {
  await write(1)
  const anchorsBefore = await rig.database.query('SELECT sequence FROM audit_anchors')
  const refused = await ops(['anchor'])
  expect(refused).toMatchObject({
    code: 1,
    text: expect.stringMatching(/^FAIL {2}event \d+ of the audit log is not the/),
  })
  await keepHistory(rig.client, anchorScheduleId, 'anchor-refused')
  expect(await isAuditLogBroken(rig.database)).toBe(true)
  expect(await rig.database.query('SELECT sequence FROM audit_anchors')).toEqual(anchorsBefore)

  expect((await ops(['accept'])).code).toBe(2)
  const accepted = await ops(['accept', '--operator', 'ops-1', '--reason', 'restored from a backup'])
  expect(accepted).toMatchObject({ code: 0, text: expect.stringContaining('is anchored in block') })
  await keepHistory(rig.client, `${anchorScheduleId}/accepted`, 'anchor-accepted')
  expect(await isAuditLogBroken(rig.database)).toBe(false)
  const [newest] = await rig.database.query('SELECT kind, facts FROM audit_events ORDER BY sequence DESC LIMIT 1')
  expect(newest).toEqual({
    kind: 'operator_log_accepted',
    facts: { operator: 'ops-1', reason: 'restored from a backup' },
  })
  await write(1)
  expect((await ops(['anchor'])).code).toBe(0) // the next check starts from the accepted anchor
})
