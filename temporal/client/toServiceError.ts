import { ApplicationFailure } from '@temporalio/common'
import { isGrpcServiceError, WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client'
import { isErrorCode, ServiceError, type Facts } from '@perigee/core/errors'

/** The ServiceError behind whatever a Temporal client threw: the worker's own code, or that Temporal did not answer. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  const failure = applicationFailure(error)
  if (failure && isErrorCode(failure.type)) {
    return new ServiceError(failure.type, failure.message, (failure.details?.[0] ?? {}) as Facts, error)
  }
  if (isUnanswered(error)) return new ServiceError('service_unavailable', 'no worker answered in time', {}, error)
  return new ServiceError('internal_error', 'the workflow failed', {}, error)
}

/** Temporal wraps it in the failures of the activity, of the Update, and of the workflows around them. */
function applicationFailure(error: unknown): ApplicationFailure | undefined {
  if (error instanceof ApplicationFailure) return error
  return error instanceof Error ? applicationFailure(error.cause) : undefined
}

function isUnanswered(error: unknown): boolean {
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError || isGrpcServiceError(error)) return true
  return error instanceof Error && error.cause !== undefined && isUnanswered(error.cause)
}
