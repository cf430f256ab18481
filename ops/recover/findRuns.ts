import type { Client } from '@temporalio/client'
import { ServiceError } from '@perigee/core'

export interface FoundRun {
  type: string
  workflowId: string
  runId: string
  startedAt: Date
}

/**
 * A run that started before the moment may have recorded after it, and the clocks of Temporal and Postgres may differ. Each
 * step of a run may take a minute (workflows/wallets/keyBudgets.ts), and a run may wait for a worker before it. Runs whose record
 * is there are skipped, so reading more of them is harmless.
 */
const overlapMs = 15 * 60_000

/** Runs of these types that started since then or shortly before, oldest first. */
export async function findRuns(client: Client, types: readonly string[], since: Date): Promise<FoundRun[]> {
  const names = types.map((type) => `'${type}'`).join(', ')
  const from = new Date(since.getTime() - overlapMs)
  const query = `WorkflowType IN (${names}) AND StartTime >= '${from.toISOString()}'`
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
