import { afterAll, beforeAll, expect, test } from 'vitest'
import { retentionRules } from '../../database/index.js'
import { retentionScheduleId } from '../../temporal/index.js'
import { keepHistory } from '../../temporal/testing/keepHistory.js'
import { startBySchedule } from '../../tests/rigs/publishing/startBySchedule.js'
import { startPublishingRig, type PublishingRig } from '../../tests/rigs/publishing/startPublishing.js'

let rig: PublishingRig
beforeAll(async () => {
  rig = await startPublishingRig()
  await rig.startWorkers()
})
afterAll(() => rig.close())

test('the job applies every rule, and takes nothing that is still needed', async () => {
  await rig.database.query(
    `INSERT INTO sign_in_transactions (id, expires_at) VALUES ('old', now() - interval '2 hours'), ('new', now())`,
  )
  const { workflowId } = await startBySchedule(rig.client, retentionScheduleId)
  const taken = await rig.client.workflow.getHandle(workflowId).result()
  expect(taken).toEqual({ ...Object.fromEntries(Object.keys(retentionRules).map((rule) => [rule, 0])), signIns: 1 })
  expect(await rig.database.query('SELECT id FROM sign_in_transactions')).toEqual([{ id: 'new' }])
  await keepHistory(rig.client, workflowId, 'retention')
})
