import { ApplicationFailure, CancelledFailure, TemporalFailure } from '@temporalio/common'
import type { ActivityInterceptorsFactory } from '@temporalio/worker'
import type { Logger } from 'pino'
import { ServiceError } from '@perigee/core/errors'
import { isPrivateWorkflow } from '@perigee/core/workflow'
import { isDatabaseAway } from '../../database/index.js'

/** The one place where an error becomes a Temporal failure: the code is its type, and the catalogue says whether to retry. */
export function toApplicationFailure(error: unknown): Error {
  // Stopping a worker cancels what it runs. For the workflow that must not be a cancellation: another worker goes on.
  if (error instanceof CancelledFailure && error.message === 'WORKER_SHUTDOWN') {
    return ApplicationFailure.retryable('the worker is stopping', 'service_unavailable')
  }
  if (error instanceof TemporalFailure) return error // cancellation, or already translated
  if (error instanceof ServiceError) {
    return ApplicationFailure.create({
      message: error.message,
      type: error.code,
      nonRetryable: !error.retryable,
      details: [error.facts],
      ...retryAfter(error),
    })
  }
  // Not ours, so nobody chose its words: they stay in the log. Retried, because a lost connection is the usual case.
  const type = isDatabaseAway(error) ? 'service_unavailable' : 'internal_error'
  return ApplicationFailure.retryable(type === 'internal_error' ? 'an unexpected error' : 'the database is away', type)
}

/** A source that asked us to wait is not asked again before. */
function retryAfter({ facts }: ServiceError): { nextRetryDelay?: number } {
  const seconds = facts['retryAfterSeconds']
  return typeof seconds === 'number' && seconds > 0 ? { nextRetryDelay: seconds * 1000 } : {}
}

export function translateErrors(log: Logger): ActivityInterceptorsFactory {
  return (context) => ({
    inbound: {
      async execute(input, next) {
        try {
          return await next(input)
        } catch (error) {
          const { activityType, workflowExecution, attempt } = context.info
          const failure: Error & { type?: string | null } = toApplicationFailure(error)
          const where = { activity: activityType, workflow: workflowExecution?.workflowId, attempt }
          // What is wrong with a message may quote it, so only the code is logged.
          const isPrivate = isPrivateWorkflow(where.workflow ?? '') && !(error instanceof TemporalFailure)
          if (isPrivate) log.warn({ ...where, code: failure.type }, 'a step failed')
          else if (error instanceof ServiceError)
            log.warn({ ...where, code: error.code, facts: error.facts }, error.message)
          else if (isDatabaseAway(error)) log.warn({ ...where, err: error }, failure.message)
          else if (!(error instanceof TemporalFailure)) log.error({ ...where, err: error }, failure.message)
          throw failure
        }
      },
    },
  })
}
