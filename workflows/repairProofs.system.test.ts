import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RepairResult } from '@perigee/core/workflow'
import { keepHistory } from '../temporal/testing/keepHistory.js'
import { components } from '../tests/harness/index.js'
import { runRepair, startRepair } from '../tests/rigs/runRepair.js'
import type { SeededProof } from '../tests/rigs/seedProof.js'
import { recordOf, startPublishingRig, type PublishingRig } from '../tests/rigs/startPublishing.js'

let rig: PublishingRig

beforeAll(async () => {
  // Two proofs a page and no time: every run stops after its first page.
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
  expect(first).toMatchObject({ seen: 1, started: [proof.slug], overdue: [proof.slug], next: null })
  expect(await isComplete(proof.slug)).toBe('complete')
  await keepHistory(rig.client, first.workflowId, 'repair-orphan')
  await keepHistory(rig.client, `receipt/${proof.slug}`, 'publish-restarted')
  const young = await orphan(0)
  expect(await runRepair(rig.client)).toMatchObject({ seen: 0, started: [] })
  expect(await isComplete((await orphanNow(young)).slug)).toBe('complete')
})

/** Finishes a proof that a test has left, so that the next one starts clean. */
async function orphanNow(proof: SeededProof): Promise<SeededProof> {
  await (await rig.publish(proof)).result()
  return proof
}

test('a run goes on where the one before had to stop, so that old proofs cannot starve newer orphans', async () => {
  const proofs: SeededProof[] = []
  for (const minutes of [50, 40, 30, 20, 10]) proofs.push(await orphan(minutes))
  // The oldest two are at work for long, as on a congested chain: every run would find them first.
  rig.chainConfig.confirmations = 50
  const runs: (RepairResult & { workflowId: string })[] = []
  for (let i = 0; i < 3; i++) runs.push(await runRepair(rig.client))
  expect(runs.map(({ started }) => started)).toEqual([
    [proofs[0]?.slug, proofs[1]?.slug],
    [proofs[2]?.slug, proofs[3]?.slug],
    [proofs[4]?.slug],
  ])
  expect(runs[0]?.next?.slug).toBe(proofs[1]?.slug)
  expect(runs[2]?.next).toBeNull()
  expect(await runRepair(rig.client)).toMatchObject({ seen: 2, started: [] }) // from the oldest again
  rig.chainConfig.confirmations = 1
  for (const { slug } of proofs) expect(await isComplete(slug)).toBe('complete')
  await keepHistory(rig.client, runs[1]?.workflowId ?? '', 'repair-resumed')
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
  const budgets = { "scheduleToCloseTimeout: '5m'": "scheduleToCloseTimeout: '3s'" }
  rig = await startPublishingRig({ budgets, queues: ['sign', 'publish'] })
  await rig.startWorkers()
  const proof = await orphan(180)
  const workflowId = await startRepair(rig.client)
  const result = (await rig.client.workflow.getHandle(workflowId).result()) as RepairResult
  expect(result).toMatchObject({ reopened: [], started: [proof.slug] })
  await keepHistory(rig.client, workflowId, 'repair-no-chain-worker')
  await rig.client.workflow.getHandle(`receipt/${proof.slug}`).terminate('the test is over')
})
