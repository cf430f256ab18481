import type { DataSource } from 'typeorm'
import { createSigningActivities, type Signing } from '../activities/signing/createSigningActivities.js'
import type { ActivityDeps } from '../workers/createActivities.js'

export const steps = ['entropy', 'enclave', 'verification', 'records', 'other'] as const
/** Milliseconds of every signature, by step; `whole` is their sum. */
export type StepTimes = Record<(typeof steps)[number] | 'whole', number[]>

interface Query {
  query(...args: unknown[]): Promise<unknown>
}

/**
 * The signing activity with every step timed, one signature at a time. `records` is the two statements that find the
 * wallet and keep the signature; `other` is what is in no step: the digest, hashes, the coordinator's report, and what the
 * steps that begin when the task arrives wait for the activity.
 */
export function timeSteps(deps: ActivityDeps): {
  signing: Pick<Signing, 'signTransaction' | 'arrived'>
  take(): StepTimes
} {
  let times = none()
  let current: Record<string, number> = {}
  let arrivedAt: number | null = null
  function timed<A extends unknown[], R>(name: string, step: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
    return async (...args) => {
      const start = performance.now()
      try {
        return await step(...args)
      } finally {
        current[name] = (current[name] ?? 0) + performance.now() - start
      }
    }
  }
  const { entropy, enclave, evidence } = deps
  const activities = createSigningActivities({
    ...deps,
    database: withQuery(deps.database, (pool) => timed('records', (...args) => pool.query(...args))),
    entropy: {
      take: timed('entropy', (purpose) => entropy.take(purpose)),
      retire: (...args) => entropy.retire(...args),
    },
    enclave: { signTransaction: timed('enclave', (request) => enclave.signTransaction(request)) },
    evidence: { verifySignEvidence: timed('verification', (...args) => evidence.verifySignEvidence(...args)) },
  })
  return {
    signing: {
      arrived(input) {
        current = {}
        arrivedAt = performance.now()
        return activities.arrived(input)
      },
      async signTransaction(input) {
        if (arrivedAt === null) current = {}
        const start = arrivedAt ?? performance.now()
        arrivedAt = null
        const signed = await activities.signTransaction(input)
        const whole = performance.now() - start
        const known = steps.filter((step) => step !== 'other')
        const other = whole - known.reduce((sum, step) => sum + (current[step] ?? 0), 0)
        for (const step of known) times[step].push(current[step] ?? 0)
        times.other.push(other)
        times.whole.push(whole)
        return signed
      },
    },
    take() {
      const taken = times
      times = none()
      return taken
    },
  }
}

const none = (): StepTimes => ({ entropy: [], enclave: [], verification: [], records: [], other: [], whole: [] })

/** The same database, whose prepared statements are asked through `wrap` (database/prepared.ts says where they go). */
function withQuery(database: DataSource, wrap: (pool: Query) => Query['query']): DataSource {
  const { driver } = database as unknown as { driver: { master: Query } }
  const master = Object.create(driver.master, { query: { value: wrap(driver.master) } }) as Query
  return Object.create(database, {
    driver: { value: Object.create(driver, { master: { value: master } }) },
  }) as DataSource
}
