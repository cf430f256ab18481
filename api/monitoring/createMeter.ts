import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { DataSource } from 'typeorm'
import type { ApiMeter } from './ApiMeter.js'

/** Clients can send any method; a label for each would exhaust memory. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS', 'PUT', 'PATCH'])
const signRoutes = new Set(['/sign/digest', '/sign/message'])
const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]

/** Counts into `registry`, beside Node's own metrics: memory, event-loop lag, garbage collection. */
export function createMeter(database: DataSource, registry = new Registry()): ApiMeter & { registry: Registry } {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 20 })
  const registers = [registry]
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests answered',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'From the first step to the last byte',
    labelNames: ['method', 'route'],
    buckets: seconds,
    registers,
  })
  const inFlight = new Gauge({ name: 'http_requests_in_flight', help: 'Requests being answered', registers })
  const limited = new Counter({
    name: 'rate_limited_total',
    help: 'Requests refused, by the limit that refused them',
    labelNames: ['limit'],
    registers,
  })
  // From zero on: Prometheus sees no increase in a counter that first appears at one, and alerts watch these.
  limited.inc({ limit: 'entropy' }, 0)
  const signed = new Counter({
    name: 'sign_requests_total',
    help: 'Signatures requested: released, or the error code',
    labelNames: ['outcome'],
    registers,
  })
  for (const outcome of ['released', 'service_unavailable', 'internal_error', 'enclave_unreachable'])
    signed.inc({ outcome }, 0)
  new Gauge({
    name: 'database_connections',
    help: 'Connections of the pool, and requests waiting for one',
    labelNames: ['state'],
    registers,
    collect() {
      const { totalCount, idleCount, waitingCount } = poolOf(database)
      this.set({ state: 'used' }, totalCount - idleCount)
      this.set({ state: 'idle' }, idleCount)
      this.set({ state: 'waiting' }, waitingCount)
    },
  })
  return {
    registry,
    requestStarted: () => inFlight.inc(),
    requestEnded({ method: given, route, status, seconds: taken, code }) {
      const method = knownMethods.has(given) ? given : 'other'
      inFlight.dec()
      requests.inc({ method, route, status })
      durations.observe({ method, route }, taken)
      if (signRoutes.has(route) && method === 'POST') signed.inc({ outcome: code ?? 'released' })
    },
    rateLimited: (limit) => limited.inc({ limit }),
  }
}

interface Pool {
  totalCount: number
  idleCount: number
  waitingCount: number
}

/** The driver's pool of `pg`, which TypeORM hands out untyped. */
function poolOf(database: DataSource): Pool {
  return (database.driver as unknown as { master: Pool }).master
}
