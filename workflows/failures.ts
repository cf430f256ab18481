import { ActivityFailure, ApplicationFailure, isCancellation, TimeoutFailure } from '@temporalio/workflow'

export interface StepFailure {
  code: string
  message: string
}

/** What went wrong in a step, in a catalogue code and a sentence. `onTimeout` names a step that ran out of time. */
export function describeFailure(error: unknown, onTimeout = 'service_unavailable'): StepFailure {
  const cause = error instanceof ActivityFailure ? error.cause : error
  if (cause instanceof ApplicationFailure) return { code: cause.type ?? 'internal_error', message: cause.message }
  if (cause instanceof TimeoutFailure) {
    // The last attempt's own error says more than "timed out", when there is one.
    const last = cause.cause instanceof ApplicationFailure ? describeFailure(cause.cause) : undefined
    return last ?? { code: onTimeout, message: 'no attempt ended in time' }
  }
  return { code: 'internal_error', message: cause instanceof Error ? cause.message : 'unknown' }
}

/** The failure to end a workflow or an update with: the code reaches the caller as the failure's type. */
export function asApplicationFailure(error: unknown): unknown {
  if (isCancellation(error)) return error
  const { code, message } = describeFailure(error)
  return ApplicationFailure.create({ message, type: code, nonRetryable: true, details: factsOf(error) })
}

/** The public facts of the last attempt's own error, such as how long to wait. */
function factsOf(error: unknown): unknown[] {
  const cause = error instanceof ActivityFailure ? error.cause : error
  const last = cause instanceof TimeoutFailure ? cause.cause : cause
  return last instanceof ApplicationFailure ? (last.details ?? []) : []
}
