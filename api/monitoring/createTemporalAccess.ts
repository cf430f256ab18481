import type { Logger } from 'pino'
import { describeError, ServiceError } from '@perigee/core'
import { checkTemporal, TemporalProblem } from '../../temporal/index.js'

/**
 * Throws while Temporal refuses this process: its certificate, its token, or its namespace. An outage refuses nobody, and passes:
 * it is there for every API, and what is recorded can be read meanwhile.
 */
export function createTemporalAccess(
  place: Parameters<typeof checkTemporal>[0],
  logger: Pick<Logger, 'warn'>,
  check = checkTemporal,
): () => Promise<void> {
  let asking: Promise<void> | undefined

  async function ask(): Promise<void> {
    try {
      await check(place)
    } catch (error) {
      if (error instanceof TemporalProblem && error.code === 'temporal_unreachable') return
      logger.warn(describeError(error), 'Temporal cannot be used as this API is configured')
      const code = error instanceof TemporalProblem ? error.code : 'the log says why'
      throw new ServiceError('service_unavailable', `Temporal refuses this process: ${code}`, {}, error)
    }
  }

  // A check may take longer than a probe waits: those that come meanwhile share it.
  return () => (asking ??= ask().finally(() => (asking = undefined)))
}
