import type { Client } from '@temporalio/client'
import { ServiceError } from '@perigee/core'

export interface FoundRun {
  type: string
  workflowId: string
  runId: string
  startedAt: Date
}

/** Runs of these types that started since then, oldest first. */
export async function findRuns(client: Client, types: readonly string[], since: Date): Promise<FoundRun[]> {
  const names = types.map((type) => `'${type}'`).join(', ')
  const query = `WorkflowType IN (${names}) AND StartTime >= '${since.toISOString()}'`
  const runs: FoundRun[] = []
  try {
    for await (const { type, workflowId, runId, startTime } of client.workflow.list({ query })) {
      runs.push({ type, workflowId, runId, startedAt: startTime })
    }
  } catch (error) {
    throw new ServiceError('service_unavailable', 'the runs could not be listed', {}, error)
  }
  return runs.sort((a, b) => a.startedAt.getTime() - b.startedAt.getTime())
}
