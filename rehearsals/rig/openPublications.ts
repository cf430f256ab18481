import { Client, Connection } from '@temporalio/client'
import type { StackFile } from '../../dev/stack/stackFile.js'

const openRuns = `ExecutionStatus='Running' AND WorkflowType='publishReceipt'`

export async function withClient<T>(
  { temporalAddress, namespace }: Pick<StackFile, 'temporalAddress' | 'namespace'>,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const connection = await Connection.connect({ address: temporalAddress })
  try {
    return await work(new Client({ connection, namespace }))
  } finally {
    await connection.close()
  }
}

/** Ends every open publication; `repairProofs` starts them again, as the records have them. Returns how many. */
export const terminatePublications = (file: StackFile, reason: string): Promise<number> =>
  withClient(file, async ({ workflow }) => {
    let count = 0
    for await (const { workflowId, runId } of workflow.list({ query: openRuns })) {
      await workflow.getHandle(workflowId, runId).terminate(reason)
      count++
    }
    return count
  })
