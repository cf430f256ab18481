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

/** A runtime with a Prometheus page, in place of the one that an earlier test file of this process may have left. */
export async function installRuntimeWithMetrics(bindAddress: string): Promise<Runtime> {
  await Runtime.instance().shutdown()
  return Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { metrics: { prometheus: { bindAddress } } },
  })
}
