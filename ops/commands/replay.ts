import { IllegalStateError } from '@temporalio/common'
import { DefaultLogger, Runtime, Worker, type ReplayResult } from '@temporalio/worker'
import { ServiceError } from '@perigee/core'
import { workflowTypes } from '@perigee/core/workflow'
import { currentBundle } from '../../temporal/bundle/currentBundle.js'
import { createWorkerDataConverter } from '../../temporal/index.js'
import type { OpsConfig } from '../config.js'
import { withTemporal } from '../connections.js'
import type { Outcome } from '../Outcome.js'

const types = Object.values(workflowTypes).map((type) => `'${type}'`)
const openRuns = `ExecutionStatus = 'Running' AND WorkflowType IN (${types.join(', ')})`

/** Replays every open run against the workflows of this build: one that fails would get stuck after a deployment. */
export function replay(config: OpsConfig, bundleFile?: string): Promise<Outcome> {
  silenceRuntime()
  return withTemporal(config, async ({ client }) => {
    const options = {
      workflowBundle: bundleFile
        ? { codePath: bundleFile }
        : await currentBundle({ production: config.production, traced: false }),
      dataConverter: createWorkerDataConverter(config.temporal().codecKeys),
      replayName: 'ops',
    }
    const results: ReplayResult[] = []
    try {
      const histories = client.workflow.list({ query: openRuns }).intoHistories({ concurrency: 8 })
      for await (const result of Worker.runReplayHistories(options, histories)) results.push(result)
    } catch (error) {
      throw new ServiceError('service_unavailable', 'the open runs could not be downloaded and replayed', {}, error)
    }
    const failed = results.filter(({ error }) => error !== undefined)
    const lines = [
      ...results.map(({ workflowId, error }) =>
        error ? `FAIL  ${workflowId}: ${error.message}` : `OK    ${workflowId}`,
      ),
      `${results.length} open runs replayed, ${failed.length} failed`,
      ...(failed.length > 0 ? ['Do not deploy this build: see "Changing workflow code" in temporal/RUNBOOK.md.'] : []),
    ]
    const json = {
      replayed: results.length,
      failed: failed.map(({ workflowId, runId, error }) => ({ workflowId, runId, message: error?.message })),
    }
    return { lines, json, exitCode: failed.length > 0 ? 1 : 0 }
  })
}

/** A failed replay is our result, not a problem of the program: Temporal's own log lines stay away. */
function silenceRuntime(): void {
  try {
    Runtime.install({ logger: new DefaultLogger('ERROR', () => undefined) })
  } catch (error) {
    if (!(error instanceof IllegalStateError)) throw error // installed by the process that calls us
  }
}
