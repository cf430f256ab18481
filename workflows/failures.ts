import { ActivityFailure, ApplicationFailure, TimeoutFailure } from '@temporalio/workflow'

export interface StepFailure {
  code: string
  message: string
}

/** What went wrong in a step, in a catalogue code and a sentence. `onTimeout` names a step that ran out of time. */
export function describeFailure(error: unknown, onTimeout = 'service_unavailable'): StepFailure {
  const last = lastAttempt(error)
  if (last) return { code: last.type ?? 'internal_error', message: last.message }
  return { code: onTimeout, message: 'no attempt ended in time' }
}

/** True when the time of a step ended while it waited for a worker. */
export function isUntaken(error: unknown): boolean {
  const timeout = error instanceof ActivityFailure && error.cause instanceof TimeoutFailure && error.cause
  return timeout && timeout.timeoutType === 'SCHEDULE_TO_START'
}

/** The failure to end a workflow or an update with: the code reaches the caller as the failure's type. */
export function asApplicationFailure(error: unknown): ApplicationFailure {
  const { code, message } = describeFailure(error)
  const details = lastAttempt(error)?.details ?? [] // public facts, such as how long to wait
  return ApplicationFailure.create({ message, type: code, nonRetryable: true, details })
}

/** The error of the last attempt: the cause of the activity's failure, or of its timeout when the budget ended. */
function lastAttempt(error: unknown): ApplicationFailure | undefined {
  let cause = error
  while (cause instanceof Error && !(cause instanceof ApplicationFailure)) cause = cause.cause
  return cause as ApplicationFailure | undefined
}
