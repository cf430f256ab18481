import { DefaultLogger, Runtime } from '@temporalio/worker'
import { IllegalStateError } from '@temporalio/common'

/** Temporal's own warnings stay out of the tests' output: many tests provoke them on purpose. */
export function installQuietRuntime(): void {
  try {
    Runtime.install({
      logger: new DefaultLogger('ERROR'),
      telemetryOptions: { logging: { filter: { core: 'ERROR', other: 'ERROR' } } },
    })
  } catch (error) {
    if (!(error instanceof IllegalStateError)) throw error // an earlier test file of this process installed it
  }
}
