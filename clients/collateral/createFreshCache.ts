import { ServiceError, type UnixSeconds } from '@perigee/core'
import { untilAborted } from '../concurrency/untilAborted.js'
import type { createCollateralFolder, StoredCollateral } from './createCollateralFolder.js'

/** Something verified that goes stale: too old, or not confirmed by its source for too long. */
export interface Verified extends Omit<StoredCollateral, 'refreshedAt'> {
  /** From this second on it is refused. */
  expiresAt: UnixSeconds
}

/** How fresh something is that was asked for at least once. Nothing is signed with it from `staleAt` on, unless it is refreshed. */
type Freshness = Record<'refreshedAt' | 'staleAt', UnixSeconds>

export interface FreshnessOptions {
  store?: ReturnType<typeof createCollateralFolder>
  /** What could not be refreshed for this long is not used, even if it has not expired. */
  maxAgeSeconds?: number
  /** Refreshed after this long, in the background, while the old one is still used. */
  refreshAfterSeconds?: number
  /** And in any case this long before it expires. */
  refreshBeforeExpirySeconds?: number
  /** Called when a refresh fails while the old one may still be used. */
  onProblem?(error: unknown): void
  now?(): UnixSeconds
}

/** Where only stale collateral is held, a caller waits at most this long for the source before it is refused. */
const patienceMs = 2000

interface FreshCacheOptions<Subject, T extends Verified> extends FreshnessOptions {
  /** For messages: what it is that cannot be refreshed. */
  what: string
  /** Asks the source and verifies the answer. `old` is what was held before: the next one may not be older. */
  fetch(subject: Subject, old: T | undefined): Promise<T>
  /** Verifies what an earlier run stored, whatever its age. */
  restore(subject: Subject, bytes: Uint8Array): Promise<T>
}

/** Verified, cached, refreshed in time. Throws `collateral_stale` when there is nothing fresh, `collateral_unavailable` when there is nothing. */
export function createFreshCache<Subject, T extends Verified>(options: FreshCacheOptions<Subject, T>) {
  type Held = T & StoredCollateral
  const { what, store, maxAgeSeconds = 86_400, refreshAfterSeconds = 6 * 3600 } = options
  const { refreshBeforeExpirySeconds = 3 * 86_400, onProblem = () => undefined } = options
  const { now = () => Math.floor(Date.now() / 1000) } = options
  const held = new Map<string, Held>()
  const subjects = new Map<string, Subject>()
  const pending = new Map<string, Promise<Held>>()

  const staleAt = ({ refreshedAt, expiresAt }: Held) => Math.min(refreshedAt + maxAgeSeconds, expiresAt)
  const isUsable = (entry: Held) => now() < staleAt(entry)
  const isDue = (entry: Held) =>
    now() >= entry.refreshedAt + Math.min(refreshAfterSeconds, maxAgeSeconds / 2) ||
    now() >= entry.expiresAt - refreshBeforeExpirySeconds

  async function restore(key: string, subject: Subject): Promise<Held | undefined> {
    const stored = await store?.load(key)
    if (!stored) return undefined
    const restored = { ...(await options.restore(subject, stored.bytes)), refreshedAt: stored.refreshedAt }
    held.set(key, restored)
    return restored
  }

  async function refresh(key: string, subject: Subject): Promise<Held> {
    const old = held.get(key) ?? (await restore(key, subject))
    const next = { ...(await options.fetch(subject, old)), refreshedAt: now() }
    await store?.save(key, next)
    held.set(key, next)
    return next
  }

  function refreshOnce(key: string, subject: Subject): Promise<Held> {
    const running = pending.get(key) ?? refresh(key, subject).finally(() => pending.delete(key))
    pending.set(key, running)
    return running
  }

  /** What cannot be refreshed, or has expired, stops signing: otherwise we would miss revocations. */
  function unavailable(error: unknown, known: Held | undefined): ServiceError {
    const code = error instanceof ServiceError ? error.code : undefined
    if (known || code === 'collateral_expired' || code === 'crl_expired' || code === 'cert_expired') {
      const facts = known ? { refreshedAt: known.refreshedAt, staleAt: staleAt(known) } : {}
      return new ServiceError('collateral_stale', `${what} cannot be refreshed, so nothing is signed; try again later`, facts, error) // prettier-ignore
    }
    if (code !== undefined && code !== 'collateral_unavailable') return error as ServiceError
    return new ServiceError('collateral_unavailable', `the source of ${what} gives nothing usable`, {}, error)
  }

  return {
    async get(key: string, subject: Subject): Promise<Held> {
      subjects.set(key, subject)
      const old = held.get(key)
      if (old && !isDue(old)) return old
      const refreshed = refreshOnce(key, subject)
      if (old && isUsable(old)) {
        refreshed.catch(onProblem)
        return old
      }
      // A source that hangs must not turn `collateral_stale` into a timeout. The refresh goes on, for the next caller.
      const answered = old ? untilAborted(refreshed, AbortSignal.timeout(patienceMs)) : refreshed
      return answered.catch((error: unknown) => {
        const known = held.get(key)
        if (known && isUsable(known)) return (onProblem(error), known)
        throw unavailable(error, known)
      })
    },
    /** Refreshes what is due, so that a quiet service does not go stale. */
    async keepFresh(): Promise<void> {
      for (const [key, subject] of subjects) {
        const entry = held.get(key)
        if (!entry || isDue(entry)) await refreshOnce(key, subject).catch(onProblem)
      }
    },
    /** The freshness of the stalest entry; null before anything was asked for. */
    freshness(): Freshness | null {
      const entries = [...held.values()].map((entry) => ({ refreshedAt: entry.refreshedAt, staleAt: staleAt(entry) }))
      return entries.sort((a, b) => a.staleAt - b.staleAt)[0] ?? null
    },
  }
}
