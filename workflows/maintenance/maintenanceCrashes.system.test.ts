import { createHash } from 'node:crypto'
import { createPublicClient, http, type Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditLogAnchored } from '@perigee/core/auditLog'
import type { AnchorResult } from '@perigee/core/workflow'
import { readAnchors } from '../../clients/chain/auditAnchors.js'
import { appendAuditEvent, findAnchor, retentionBatch, retentionRules, verifyAuditLog } from '../../database/index.js'
import { anchorScheduleId, retentionScheduleId } from '../../temporal/index.js'
import { keepHistory } from '../../temporal/testing/keepHistory.js'
import { components, deployForTests, freshPublisher } from '../../tests/harness/index.js'
import { describeWebhookCrashes } from '../../tests/rigs/failpoints/describeWebhookCrashes.js'
import { failpointsOf } from '../../tests/rigs/failpoints/failpoints.js'
import { startMortalWorkers, type MortalWorkers } from '../../tests/rigs/failpoints/startMortalWorkers.js'
import { startBySchedule } from '../../tests/rigs/publishing/startBySchedule.js'
import { startReceiver, writeWebhooksFile, type Receiver } from '../../tests/rigs/servers/startReceiver.js'
import { startService, type TestService } from '../../tests/rigs/workers/startService.js'

const isRecording = process.env.RECORD_HISTORIES === 'true'
const chain = createPublicClient({ transport: http(components().rpcUrl) })

let service: TestService
let workers: MortalWorkers
let contract: Hex
let receiver: Receiver
let file: Awaited<ReturnType<typeof writeWebhooksFile>>

beforeAll(async () => {
  const testChain = await deployForTests(components().rpcUrl) // anchors of other logs would contradict this one's
  contract = testChain.contractAddress
  const key = await freshPublisher(testChain)
  receiver = await startReceiver()
  file = await writeWebhooksFile([
    { name: 'shop', url: receiver.url, secrets: [receiver.secret], events: ['wallet.created'] },
  ])
  service = await startService({
    env: {
      CONTRACT_ADDRESS: contract,
      PUBLISHER_PRIVATE_KEYS: key,
      PUBLISHER_ADDRESSES: privateKeyToAddress(key),
      WEBHOOKS_FILE: file.path,
    },
  })
  workers = await startMortalWorkers(service.env)
})
afterAll(async () => {
  workers?.stop()
  await service?.close()
  await receiver.close()
  await file.remove()
})

/** Has a schedule run its job while a worker dies at `point`. */
async function killedAt<T>(point: string, scheduleId: string, name: string): Promise<T> {
  const before = workers.deaths()
  workers.dieAt(point)
  const { workflowId } = await startBySchedule(service.client, scheduleId)
  const result = (await service.client.workflow.getHandle(workflowId).result()) as T
  expect(workers.isWaiting()).toBe(false)
  await expect.poll(() => workers.deaths()).toBe(before + 1)
  await keepHistory(service.client, workflowId, `killed-${name}-${point.replaceAll(/[.:]/g, '-')}`)
  return result
}

/** Nonce and no anchor, sent and not recorded: where a second event could come from. `npm run histories` goes through all. */
const anchorPoints = ['publisher.openAnchor:after', 'publishAuditHead:after']

test.each(isRecording ? failpointsOf('anchor') : anchorPoints)(
  'a worker killed at %s leaves one anchor for the head of the audit log',
  async (point) => {
    await appendAuditEvent(service.database, { at: new Date(), kind: 'sign_in', subject: null, facts: { point } })
    const anchored = await killedAt<AnchorResult>(point, anchorScheduleId, 'anchor')
    const { sequence } = anchored
    const anchor = await findAnchor(service.database, sequence)
    const filter = { address: contract, event: auditLogAnchored, args: { sequence: BigInt(sequence) }, fromBlock: 0n }
    const events = await chain.getLogs(filter)
    expect(events.map(({ args, transactionHash }) => [args.head, args.ipfsCid, transactionHash])).toEqual([
      [anchor?.hash, anchored.cid, anchored.onchainTxHash],
    ])
    const anchors = await readAnchors(chain, { contract, fromBlock: 0n })
    const verdict = await verifyAuditLog(service.database, anchors)
    expect(verdict).toMatchObject({ faults: [], anchors: anchors.length, anchoredUpTo: sequence })
    const [counted] = await service.database.query(
      `SELECT (SELECT count(*)::int FROM publisher_slots) AS nonces, (SELECT count(*)::int FROM audit_anchors) AS anchors`,
    )
    expect(counted).toEqual({ nonces: anchors.length, anchors: anchors.length })
  },
)

/** Between two batches, and done but not reported. */
const retentionPoints = ['retention.batch:after', 'deleteExpired:after']

test.each(isRecording ? failpointsOf('retention') : retentionPoints)(
  'a worker killed at %s deletes what is due, and nothing else',
  async (point) => {
    const userId = await service.newUser()
    const due = retentionBatch + 500
    await service.database.query(
      `INSERT INTO sessions (secret_hash, user_id, created_at, last_seen_at, expires_at)
       SELECT sha256(($1 || n)::bytea), $2, now(), now(),
              now() + CASE WHEN n < 3 THEN interval '1 day' ELSE interval '-31 days' END
         FROM generate_series(1, $3::int) n`,
      [point, userId, due + 2],
    )
    const taken = await killedAt<Record<string, number>>(point, retentionScheduleId, 'retention')
    expect(Object.keys(taken)).toEqual(Object.keys(retentionRules))
    const left = await service.database.query<{ secret_hash: Buffer }[]>(
      'SELECT secret_hash FROM sessions WHERE user_id = $1',
      [userId],
    )
    const secretOf = (n: number) => createHash('sha256').update(`${point}${n}`).digest('hex')
    expect(left.map(({ secret_hash }) => secret_hash.toString('hex')).sort()).toEqual([secretOf(1), secretOf(2)].sort())
  },
)

// After the anchors, which count the nonces of this contract: these make wallets, whose receipts are published too.
describeWebhookCrashes(() => ({ service, workers, receiver }))
