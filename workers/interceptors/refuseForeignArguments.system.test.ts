import { defaultPayloadConverter, type Payload } from '@temporalio/common'
import { msToTs } from '@temporalio/common/lib/time'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EncryptionCodec } from '../../temporal/codec/EncryptionCodec.js'
import { taskQueues, workflowIds } from '../../temporal/index.js'
import { recordOf, startPublishingRig, type PublishingRig } from '../../tests/rigs/publishing/startPublishing.js'

let rig: PublishingRig
beforeAll(async () => {
  rig = await startPublishingRig()
  await rig.startWorkers(['publish'])
})
afterAll(() => rig.close())

const scheduleActivity = 1 // COMMAND_TYPE_SCHEDULE_ACTIVITY_TASK

/** Someone who writes to Temporal answers the workflow task of a run of their own: "run this activity". What it failed with, if it did. */
function askFor(activity: string, payload: Payload, workflowId: string): Promise<string | null> {
  const { client, namespace } = rig
  const server = client.workflowService
  const taskQueue = { name: `${workflowId}-strangers` }
  const workflowType = { name: 'anything' }
  const scheduleActivityTaskCommandAttributes = {
    activityId: '1',
    activityType: { name: activity },
    taskQueue: { name: taskQueues.publish },
    input: { payloads: [payload] },
    startToCloseTimeout: msToTs('30s'),
    scheduleToCloseTimeout: msToTs('50s'),
  }
  const commands = [{ commandType: scheduleActivity, scheduleActivityTaskCommandAttributes }]
  return client.withDeadline(Date.now() + 120_000, async () => {
    await server.startWorkflowExecution({ namespace, workflowId, requestId: workflowId, workflowType, taskQueue })
    const { taskToken } = await server.pollWorkflowTaskQueue({ namespace, taskQueue })
    await server.respondWorkflowTaskCompleted({ namespace, taskToken, commands })
    const { history } = await server.pollWorkflowTaskQueue({ namespace, taskQueue }) // comes when the activity has ended
    const failed = history?.events?.find((event) => event.activityTaskFailedEventAttributes)
    return failed?.activityTaskFailedEventAttributes?.failure?.applicationFailureInfo?.type ?? null
  })
}

async function encrypted(value: object, workflowId: string): Promise<Payload> {
  const codec = new EncryptionCodec(rig.codecKeys, 'throw')
  return (await codec.encode([defaultPayloadConverter.toPayload(value)], { workflowId }))[0] as Payload
}

test('a step runs on arguments that were encrypted for its workflow, and on no others', async () => {
  const { slug } = await rig.seed()
  const plain = defaultPayloadConverter.toPayload({ slug })
  expect(await askFor('pinReceipt', plain, 'plain')).toBe('payload_refused')
  expect(await askFor('pinReceipt', await encrypted({ slug }, 'elsewhere'), 'moved')).toBe('payload_refused')
  expect(await recordOf(rig.database, slug)).toMatchObject({ status: 'pending_pin', cid: null })
  expect(await askFor('pinReceipt', await encrypted({ slug }, 'own'), 'own')).toBeNull()
  expect(await recordOf(rig.database, slug)).toMatchObject({ status: 'pending_onchain' })
})

test('nobody gives a proof up with a payload copied from its own run', async () => {
  const { slug, txHash } = await rig.seed()
  const workflowId = workflowIds.receipt(slug)
  const copied = await encrypted({ kind: 'transaction', slug, txHash }, workflowId) // as in the event that starts its run
  expect(await askFor('recordAbandoned', copied, workflowId)).toBe('payload_refused')
  expect(await recordOf(rig.database, slug)).toMatchObject({ status: 'pending_pin', error_code: null })
})
