import { taskQueues, workflowTaskTimeout } from '@perigee/core/workflow'

/** A run in progress is joined. A finished one may be followed by another, which reads the row first. */
export const joining = {
  taskQueue: taskQueues.sign,
  workflowIdConflictPolicy: 'USE_EXISTING',
  workflowIdReusePolicy: 'ALLOW_DUPLICATE',
  workflowTaskTimeout,
} as const
