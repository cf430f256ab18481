import type { z } from 'zod'
import { ServiceError } from '@perigee/core'
import { untilAborted } from '../../clients/concurrency/untilAborted.js'
import type { readinessSchema } from '../schemas.js'

export type Readiness = z.infer<typeof readinessSchema>

const timeoutMs = 2_500

/** Checks every dependency in parallel, each with the same timeout. */
export async function askEach(checks: Record<string, () => Promise<void>>): Promise<Readiness['dependencies']> {
  const entries = Object.entries(checks).map(async ([name, check]) => [name, await stateOf(check)] as const)
  return Object.fromEntries(await Promise.all(entries))
}

/** A process that is shutting down is never ready. */
export function readinessOf(dependencies: Readiness['dependencies'], stopping: boolean): Readiness {
  const up = Object.values(dependencies).every(({ state }) => state === 'up')
  return { status: up && !stopping ? 'ready' : 'not_ready', dependencies }
}

async function stateOf(check: () => Promise<void>): Promise<Readiness['dependencies'][string]> {
  const started = performance.now()
  const latency = () => ({ latencyMs: Math.round(performance.now() - started) })
  const tooLate = AbortSignal.timeout(timeoutMs)
  try {
    await untilAborted(check(), tooLate)
    return { state: 'up', ...latency() }
  } catch (error) {
    // Only our own messages go out: a driver's may name hosts, users or files.
    const ours = error instanceof ServiceError ? error.message : 'unreachable'
    return { state: 'down', ...latency(), detail: error === tooLate.reason ? 'no answer in time' : ours }
  }
}
