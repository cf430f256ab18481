import type { ActivityInterceptorsFactory } from '@temporalio/worker'
import { ServiceError } from '@perigee/core/errors'
import { refusalIn } from '@perigee/core/workflow'

/** An activity does not run on input that the codec marked: it does not come from one of our workflows. */
export const refuseForeignArguments: ActivityInterceptorsFactory = () => ({
  inbound: {
    async execute(input, next) {
      const reason = refusalIn(input.args)
      if (reason !== undefined) throw new ServiceError('payload_refused', `the input was refused: ${reason}`)
      return next(input)
    },
  },
})
