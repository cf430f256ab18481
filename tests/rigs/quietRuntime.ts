import { DefaultLogger, Runtime } from '@temporalio/worker'

/** Temporal's own warnings stay out of the tests' output: many tests provoke them on purpose. */
export function installQuietRuntime(): void {
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: { core: 'ERROR', other: 'ERROR' } } },
  })
}
