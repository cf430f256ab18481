import {
  ApplicationFailure,
  condition,
  defineSignal,
  defineUpdate,
  isCancellation,
  proxyLocalActivities,
  setHandler,
} from '@temporalio/workflow'
import { messages, type OperatorRequest } from '@perigee/core/workflow'
import type { RecordActivities } from '../../activities/publishing/createRecordActivities.js'
import { operatorWait, publishBudgets, recordBudget } from './publishingBudgets.js'
import { describeFailure, isUntaken, type StepFailure } from '../failures.js'
import type { TrackedProof } from './trackProof.js'

const retryPublish = defineUpdate<void, [OperatorRequest]>(messages.retryPublish)
const abandonPublish = defineUpdate<void, [OperatorRequest]>(messages.abandonPublish)
const retryPublishAll = defineSignal(messages.retryPublishAll)

const { recordFailure, recordRetry, recordAbandoned } = proxyLocalActivities<RecordActivities>(recordBudget)

const steps = {
  awaitBroadcast: { pending: 'pending_pin', failed: 'pin_failed', onTimeout: 'service_unavailable' },
  pinReceipt: { pending: 'pending_pin', failed: 'pin_failed', onTimeout: 'pin_unavailable' },
  publishOnchain: { pending: 'pending_onchain', failed: 'onchain_failed', onTimeout: 'publish_unconfirmed' },
} as const
type StepName = keyof typeof steps

/** Where a failed proof waits for a person, and what that person may ask. */
export function createOperatorDesk(proof: TrackedProof) {
  const { slug } = proof.input
  let decision: 'retry' | 'abandon' | undefined
  const decide = (choice: 'retry' | 'abandon') => () => {
    decision = choice
  }
  // Synchronous and before anything is written: a refused request leaves no trace in history.
  const validator = (request: OperatorRequest) => {
    if (!request?.operator || !request.reason) throw refuse('name the operator and the reason')
    if (proof.status !== 'pin_failed' && proof.status !== 'onchain_failed') throw refuse('the proof has not failed')
    if (decision) throw refuse('another operator has just decided')
  }
  setHandler(retryPublish, decide('retry'), { validator, description: 'Tries the failed step again.' })
  setHandler(abandonPublish, decide('abandon'), { validator, description: 'Gives the proof up.' })
  // For many at once: the CLI can send a signal to the result of a query, but not an update.
  setHandler(retryPublishAll, () => {
    if (proof.status === 'pin_failed' || proof.status === 'onchain_failed') decision ??= 'retry'
  })

  return {
    /** The record of a proof that is started again may show a failure, or that it was given up. */
    reopen: (): Promise<void> => recordRetry({ slug }),

    /** Runs one step until it succeeds; between failures it waits for an operator. Throws when given up. */
    async untilDone<T>(name: StepName, step: () => Promise<T>): Promise<T> {
      const { pending, failed, onTimeout } = steps[name]
      let mayHaveGoneOn = true
      for (;;) {
        try {
          return await step()
        } catch (error) {
          if (isCancellation(error)) throw error
          const failure = isUntaken(error) ? untaken(name) : describeFailure(error, onTimeout)
          const recorded = await recordFailure({ slug, status: failed, ...failure })
          if (recorded === 'went_on' && mayHaveGoneOn) {
            mayHaveGoneOn = false // once: a step that does not find what was done needs a person
            continue
          }
          proof.enter(failed, {}, failure)
        }
        await condition(() => decision !== undefined, operatorWait, { summary: 'waiting for an operator' })
        if (decision !== 'retry') {
          await recordAbandoned({ slug })
          throw ApplicationFailure.nonRetryable(
            decision ? 'abandoned by an operator' : 'no operator acted within 30 days',
            'publish_abandoned',
          )
        }
        await recordRetry({ slug })
        decision = undefined
        proof.enter(pending)
      }
    },
  }
}

function untaken(name: StepName): StepFailure {
  const { taskQueue } = publishBudgets[name]
  return { code: 'worker_unavailable', message: `no worker of the queue ${taskQueue} took the step ${name} in time` }
}

function refuse(message: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(message, 'invalid_request')
}
