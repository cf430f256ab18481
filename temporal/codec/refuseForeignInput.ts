import { ApplicationFailure, log, type WorkflowInterceptors } from '@temporalio/workflow'
import { refusalIn } from '@perigee/core/workflow'

/**
 * Refuses what the worker's codec marked: input that is not encrypted, or was made for another workflow. A start fails
 * at once, an Update is rejected, a signal is passed over, and a forged result fails its step.
 */
export const interceptors = (): WorkflowInterceptors => ({
  inbound: [
    {
      async execute(input, next) {
        refuseForeign(input.args)
        return next(input)
      },
      validateUpdate(input, next) {
        refuseForeign(input.args)
        next(input)
      },
      async handleUpdate(input, next) {
        refuseForeign(input.args)
        return next(input)
      },
      async handleSignal(input, next) {
        const reason = refusalIn(input.args)
        if (reason === undefined) return next(input)
        log.warn('a signal was passed over', { signal: input.signalName, reason })
      },
    },
  ],
  outbound: [
    {
      scheduleActivity: async (input, next) => genuine(await next(input)),
      scheduleLocalActivity: async (input, next) => genuine(await next(input)),
    },
  ],
})

function genuine(result: unknown): unknown {
  refuseForeign([result])
  return result
}

function refuseForeign(values: readonly unknown[]): void {
  const reason = refusalIn(values)
  if (reason !== undefined) throw ApplicationFailure.nonRetryable(`the input was refused: ${reason}`, 'payload_refused')
}
