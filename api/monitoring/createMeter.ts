import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Pool } from 'pg'
import type { DataSource } from 'typeorm'
import { errorCatalogue, type ErrorCode } from '@perigee/core/errors'
import type { ApiMeter, EndedRequest } from './ApiMeter.js'

/** Clients can send any method; a label for each would exhaust memory. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS', 'PUT', 'PATCH'])
const signRoutes = new Set(['/sign/digest', '/sign/message'])
const signOutcomes = ['released', 'refused', 'failed', 'abandoned'] as const
/** Below 500, because the caller may send the request again, but caused by us: we were too slow, or used a sample twice. */
const ourFaults = new Set<ErrorCode>(['request_expired', 'statement_expired', 'entropy_reused'])
const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]

/** Counts into its `registry`, beside Node's own metrics: memory, event-loop lag, garbage collection. */
export function createMeter(database: DataSource) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 20 })
  const registers = [registry]
  const pool = (database.driver as unknown as { master: Pool }).master // TypeORM hands it out untyped
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers })
  const requests = counter('http_requests_total', 'Requests answered', 'method', 'route', 'status')
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'From the first step to the last byte',
    labelNames: ['method', 'route'],
    buckets: seconds,
    registers,
  })
  const inFlight = new Gauge({ name: 'http_requests_in_flight', help: 'Requests being answered', registers })
  const limited = counter('rate_limited_total', 'Requests refused, by the limit that refused them', 'limit')
  // From zero on: Prometheus sees no increase in a counter that first appears at one, and alerts watch these.
  limited.inc({ limit: 'entropy' }, 0)
  const signed = counter(
    'sign_requests_total',
    'Signatures requested: released, refused (the caller’s fault), failed (ours), or abandoned by the caller',
    'outcome',
  )
  for (const outcome of signOutcomes) signed.inc({ outcome }, 0)
  const signErrors = counter(
    'sign_errors_total',
    'Signatures requested that were refused or failed, by error code',
    'code',
  )
  new Gauge({
    name: 'database_connections',
    help: 'Connections of the pool, and requests waiting for one',
    labelNames: ['state'],
    registers,
    collect() {
      const { totalCount, idleCount, waitingCount } = pool
      this.set({ state: 'used' }, totalCount - idleCount)
      this.set({ state: 'idle' }, idleCount)
      this.set({ state: 'waiting' }, waitingCount)
    },
  })
  const meter: ApiMeter = {
    requestStarted: () => inFlight.inc(),
    requestEnded(request) {
      const { method: given, route, status, seconds: taken, code } = request
      const method = knownMethods.has(given) ? given : 'other'
      inFlight.dec()
      requests.inc({ method, route, status })
      durations.observe({ method, route }, taken)
      if (!signRoutes.has(route) || method !== 'POST') return
      signed.inc({ outcome: outcomeOf(request) })
      if (code) signErrors.inc({ code })
    },
    rateLimited: (limit) => limited.inc({ limit }),
  }
  return { ...meter, registry }
}

/** A caller that left before there was an answer got no signature: it may have waited for one that never came. */
function outcomeOf({ code, finished }: EndedRequest): (typeof signOutcomes)[number] {
  if (code) return errorCatalogue[code].status >= 500 || ourFaults.has(code) ? 'failed' : 'refused'
  return finished ? 'released' : 'abandoned'
}
