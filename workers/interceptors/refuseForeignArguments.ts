import type { ActivityInterceptorsFactory } from '@temporalio/worker'
import { ServiceError } from '@perigee/core/errors'
import { refusalIn } from '@perigee/core/workflow'
import type { RecordActivities } from '../../activities/publishing/createRecordActivities.js'
import type { DeadLetterActivities } from '../../activities/webhooks/createDeadLetterActivities.js'

/**
 * Steps that decide that something is given up or goes on. Our workflows take them as local activities. Anyone who writes to
 * Temporal can have any other kind run, on a payload copied from the same workflow: what a proof's run was started with names
 * the proof, and so would be enough to abandon it.
 */
const onlyLocal: Record<keyof (RecordActivities & DeadLetterActivities), true> = {
  recordFailure: true,
  recordRetry: true,
  recordAbandoned: true,
  recordDeadLetter: true,
}

/** An activity does not run on input that the codec marked, or that our workflows would not ask for: it does not come from one of them. */
export const refuseForeignArguments: ActivityInterceptorsFactory = ({ info }) => ({
  inbound: {
    async execute(input, next) {
      const reason = refusalIn(input.args)
      if (reason !== undefined) throw new ServiceError('payload_refused', `the input was refused: ${reason}`)
      if (!info.isLocal && Object.hasOwn(onlyLocal, info.activityType)) {
        throw new ServiceError('payload_refused', 'our workflows take this step as a local activity only')
      }
      return next(input)
    },
  },
})
