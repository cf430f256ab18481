import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RepairResult } from '@perigee/core/workflow'
import { keepHistory } from '../../temporal/testing/keepHistory.js'
import { components } from '../../tests/harness/index.js'
import { runRepair, startRepair } from '../../tests/rigs/publishing/runRepair.js'
import type { SeededProof } from '../../tests/rigs/publishing/seedProof.js'
import { recordOf, startPublishingRig, type PublishingRig } from '../../tests/rigs/publishing/startPublishing.js'
import { uncheckedRequest } from '../../tests/rigs/uncheckedRequest.js'

let rig: PublishingRig

beforeAll(async () => {
  // Two proofs a page and no time: every call stops after its first page.
  const budgets = { 'withinMs: 3 * 60 * 1000': 'withinMs: 0', 'page: 500': 'page: 2' }
  rig = await startPublishingRig({ budgets })
  await rig.startWorkers()
})
afterAll(() => rig.close())

/** An unfinished proof as old as given, without a workflow. */
async function orphan(minutes: number): Promise<SeededProof> {
  const proof = await rig.seed()
  await rig.database.query(
    `UPDATE publications SET created_at = created_at - make_interval(mins => $2) WHERE slug = $1`,
    [proof.slug, minutes],
  )
  return proof
}

const isComplete = (slug: string) => rig.client.workflow.getHandle(`receipt/${slug}`).result()

test('an orphan gets a workflow, and an overdue one is named', async () => {
  const proof = await orphan(180)
  const first = await runRepair(rig.client)
  expect(first).toMatchObject({ seen: 1, started: [proof.slug], overdue: [proof.slug] })
  expect(await isComplete(proof.slug)).toBe('complete')
  await keepHistory(rig.client, first.workflowId, 'repair-orphan')
  await keepHistory(rig.client, `receipt/${proof.slug}`, 'publish-restarted')
  const young = await rig.seed()
  expect(await runRepair(rig.client)).toMatchObject({ seen: 0, started: [] })
  expect(await (await rig.publish(young)).result()).toBe('complete')
})

test('a run looks at every unfinished proof, so that old ones at work cannot starve newer orphans', async () => {
  const proofs: SeededProof[] = []
  for (const minutes of [50, 40, 30, 20, 10]) proofs.push(await orphan(minutes))
  // The oldest are at work for long, as on a congested chain: every run finds them first.
  rig.chainConfig.confirmations = 50
  for (const { walletId, digest, transaction } of proofs.slice(0, 4)) {
    await rig.temporal.signDigest({ walletId, digest, transaction, ...uncheckedRequest() })
  }
  const run = await runRepair(rig.client)
  expect(run).toMatchObject({ seen: 5, started: [proofs[4]?.slug] })
  rig.chainConfig.confirmations = 1
  for (const { slug } of proofs) expect(await isComplete(slug)).toBe('complete')
  await keepHistory(rig.client, run.workflowId, 'repair-many-pages')
})

test('a lost pin is put back', async () => {
  const proof = await rig.seed()
  await (await rig.publish(proof)).result()
  const cid = (await recordOf(rig.database, proof.slug)).cid ?? ''
  const kubo = (path: string) => fetch(`${components().ipfsApiUrl}/api/v0/${path}`, { method: 'POST' })
  expect((await kubo(`pin/rm?arg=${cid}`)).status).toBe(200)
  expect((await kubo(`pin/ls?arg=${cid}`)).status).toBe(500)
  await rig.database.query(`UPDATE pins SET verified_at = now() - interval '2 days' WHERE cid = $1`, [cid])
  await runRepair(rig.client)
  expect((await kubo(`pin/ls?arg=${cid}`)).status).toBe(200)
})

test('a step that no worker serves does not hang the run: it ends, and the other steps were done', async () => {
  await rig.close()
  const budgets = {
    "scheduleToCloseTimeout: '300s'": "scheduleToCloseTimeout: '3s'",
    "scheduleToCloseTimeout: '25h'": "scheduleToCloseTimeout: '3s'",
  }
  rig = await startPublishingRig({ budgets, queues: ['sign', 'publish'] })
  await rig.startWorkers()
  const proof = await orphan(180)
  const { workflowId } = await startRepair(rig.client)
  const result = (await rig.client.workflow.getHandle(workflowId).result()) as RepairResult
  expect(result).toMatchObject({ reopened: [], started: [proof.slug] })
  await keepHistory(rig.client, workflowId, 'repair-no-chain-worker')
  // The publication waits for the same queue, and fails in its time.
  expect(await rig.reaches(proof.slug, 'pin_failed')).toMatchObject({ failure: 'worker_unavailable' })
  const metadata = await rig.client.workflow.getHandle(`receipt/${proof.slug}`).query('__temporal_workflow_metadata')
  const { currentDetails } = metadata as { currentDetails: string }
  expect(currentDetails).toMatch(/no worker of the queue chain took the step awaitBroadcast/)
  expect(currentDetails).toMatch(/What to do: start workers of the queue/)
  await rig.client.workflow.getHandle(`receipt/${proof.slug}`).terminate('the test is over')
  await keepHistory(rig.client, `receipt/${proof.slug}`, 'publish-no-chain-worker')

  const cancelled = rig.client.workflow.getHandle((await startRepair(rig.client)).workflowId)
  await cancelled.cancel()
  await expect(cancelled.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } })
  await keepHistory(rig.client, cancelled.workflowId, 'repair-cancelled')
})
