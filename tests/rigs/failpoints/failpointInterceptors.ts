import { proxySinks, type Sinks, type WorkflowInterceptors } from '@temporalio/workflow'

interface FailpointSinks extends Sinks {
  failpoints: { reach(point: string): void }
}

/** Tells the worker before the command that starts a child is sent, and when the child has started. */
export const interceptors = (): WorkflowInterceptors => ({
  outbound: [
    {
      async startChildWorkflowExecution(input, next) {
        const { failpoints } = proxySinks<FailpointSinks>()
        failpoints.reach('startChild:before')
        const [started, completed] = await next(input)
        return [
          started.then((runId) => {
            failpoints.reach('startChild:after')
            return runId
          }),
          completed,
        ]
      },
    },
  ],
})
