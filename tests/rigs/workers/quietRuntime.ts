import { DefaultLogger, Runtime } from '@temporalio/worker'
import { IllegalStateError } from '@temporalio/common'

/** Temporal's own warnings stay out of the tests' output: many tests provoke them on purpose. */
const logger = new DefaultLogger('ERROR')
const logging = { filter: { core: 'ERROR', other: 'ERROR' } } as const

export function installQuietRuntime(): void {
  try {
    Runtime.install({ logger, telemetryOptions: { logging } })
  } catch (error) {
    if (!(error instanceof IllegalStateError)) throw error // an earlier test file of this process installed it
  }
}

/** The same with a Prometheus page, in place of the one that an earlier test file of this process may have left. */
export async function installRuntimeWithMetrics(bindAddress: string): Promise<Runtime> {
  await Runtime.instance().shutdown()
  return Runtime.install({ logger, telemetryOptions: { logging, metrics: { prometheus: { bindAddress } } } })
}
