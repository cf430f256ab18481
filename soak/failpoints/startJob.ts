import { randomUUID } from 'node:crypto'
import { Client } from '@temporalio/client'
import { taskQueues, workflowTypes } from '@perigee/core/workflow'
import { queryOnce } from '../../dev/stack/components/postgres.js'
import type { StackFile } from '../../dev/stack/stackFile.js'
import { connectTemporal } from '../../dev/stack/stackTemporal.js'

/** Starts a scheduled job by hand, under an id of its own: its last run may still be recovering. */
export async function startJob(stack: StackFile, job: 'anchorAuditLog' | 'applyRetention'): Promise<void> {
  const connection = await connectTemporal(stack)
  try {
    await new Client({ connection, namespace: stack.namespace }).workflow.start(workflowTypes[job], {
      workflowId: `${job}/${randomUUID()}`,
      taskQueue: taskQueues.publish,
    })
  } finally {
    await connection.close()
  }
}

/** Adds an event, so that the audit log has a head that is not anchored yet. */
export async function moveHead({ databaseUrl }: StackFile): Promise<void> {
  const at = new Date().toISOString()
  await queryOnce(databaseUrl, `SELECT append_audit_event('${at}', 'sign_out', NULL, '{}')`)
}
