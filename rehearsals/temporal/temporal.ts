import { randomBytes } from 'node:crypto'
import { createWorker } from '../../dev/stack/components/worker.js'
import { waitUntil } from '../../dev/stack/processes/waitUntil.js'
import type { StackFile } from '../../dev/stack/stackFile.js'
import { repairNow } from '../../soak/jobs.js'
import { withTemporal } from '../../soak/withTemporal.js'
import { repairScheduleId } from '../../temporal/index.js'
import type { Rehearsal } from '../Rehearsal.js'
import { startSecondTemporal } from './startSecondTemporal.js'

/** The workflows move to another Temporal by configuration; what is open there starts again from the records. */
export const temporal: Rehearsal = {
  name: 'temporal',
  title: 'The namespace moves to another Temporal, behind TLS and an API key as in Temporal Cloud, under load',
  place: { env: { PUBLISH_UNSENT_AFTER: '60' } },
  async run(rig) {
    const apiKey = randomBytes(24).toString('hex')
    const { gate, ca, target } = await rig.step('a second Temporal starts, behind TLS and an API key', () =>
      startSecondTemporal(rig, apiKey),
    )
    rig.atEnd(async () => gate.close())
    const { stack } = rig
    const former = { ...stack.file }
    const moved = { TEMPORAL_ADDRESS: gate.address, TEMPORAL_TLS_CA: ca, TEMPORAL_API_KEY: apiKey }
    const place = { ...stack.file, temporalAddress: target }
    await rig.step('the old schedule of repairs is paused', () => pauseRepairs(former))
    await rig.step('workers for it start beside the old ones', async () => {
      const env = { ...stack.env, ...moved }
      for (const name of ['moved-worker', 'moved-worker-2']) await stack.add(createWorker(name, env, place))
    })
    await rig.step('APIs and codec server restarted in turn with its address', async () => {
      await rig.roll('api', moved)
      await rig.roll('codec', moved)
    })
    await rig.step('until no signing run is open on the old one', () => whenSigned(former))
    await rig.step('old workers stopped', async () => {
      for (const name of rig.namesOf('worker')) await rig.program(name).stop()
    })
    await rig.step('open publications of the old one terminated; repairProofs starts them again', async () => {
      const open = await terminatePublications(former, 'moved to another Temporal')
      rig.note(`${open} publications were open on the old server`)
      await rig.pause(60) // a proof counts as an orphan after a minute
      await repairNow(place)
    })
    await rig.load.stop()
    await rig.step('every proof complete', rig.waitForProofs)
    const keys = [...gate.authorizations]
    rig.require(keys.join() === `Bearer ${apiKey}`, 'a call came without the API key')
    Object.assign(rig.evidence, { stack: place, formerTemporal: former })
  },
}

const pauseRepairs = (file: StackFile) =>
  withTemporal(file, ({ schedule }) => schedule.getHandle(repairScheduleId).pause('moved to another Temporal'))

const whenSigned = (file: StackFile) =>
  withTemporal(file, async ({ workflow }) => {
    const query = `ExecutionStatus='Running' AND WorkflowType IN ('signDigest','provisionWallet')`
    const isDone = async () => (await workflow.count(query)).count === 0
    await waitUntil('the old runs', isDone, { timeoutMs: 120_000, everyMs: 500 })
  })

/** Ends every open publication; `repairProofs` starts them again, as the records have them. Returns how many. */
const terminatePublications = (file: StackFile, reason: string): Promise<number> =>
  withTemporal(file, async ({ workflow }) => {
    let count = 0
    const query = `ExecutionStatus='Running' AND WorkflowType='publishReceipt'`
    for await (const { workflowId, runId } of workflow.list({ query })) {
      await workflow.getHandle(workflowId, runId).terminate(reason)
      count++
    }
    return count
  })
