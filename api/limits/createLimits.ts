import type { Request, RequestHandler, Response } from 'express'
import { ServiceError } from '@perigee/core'
import { takeFromLimit } from '../../database/index.js'
import type { ApiDeps } from '../ApiDeps.js'
import type { ApiMeter } from '../monitoring/ApiMeter.js'
import type { Sessions } from '../sessions/createSessions.js'
import { sessionOf } from '../sessions/createRequireUser.js'
import { clientAddress } from './clientAddress.js'
import { createMemoryLimiter } from './createMemoryLimiter.js'
import { createTarpit } from './createTarpit.js'
import { toVerdict, type LimitVerdict, type RateLimit, type RateLimits } from './RateLimit.js'

export function createLimits(
  { settings, database, meter }: Pick<ApiDeps, 'settings' | 'database' | 'meter'>,
  sessions: Sessions,
) {
  const limits = settings.rateLimits
  const addresses = createMemoryLimiter(limits.address)
  const tarpit = createTarpit()
  const people = createMemoryLimiter(limits.session)

  async function take(res: Response, name: keyof RateLimits, key: string): Promise<void> {
    const limit = limits[name]
    const settings = { intervalMs: 1000 / limit.perSecond, burst: limit.burst }
    const { allowed, busyMs } = await takeFromLimit(database, `${name}/${key}`, settings)
    apply(res, name, limit, toVerdict(limit, allowed, busyMs), meter)
  }

  /** Counts before it asks, so that a flood does not wait for a database that hangs. A dead session takes nothing. */
  async function countByPerson(req: Request) {
    const caller = await sessions.claimed(req)
    if (!caller) return null
    const verdict = people.take(caller)
    if (!verdict.allowed || (await sessions.isLive(req))) return { name: 'session', caller, verdict } as const
    people.giveBack(caller)
    return null
  }

  function countByAddress(req: Request) {
    const caller = clientAddress(req)
    return { name: 'address', caller, verdict: addresses.take(caller) } as const
  }

  const shared =
    (name: keyof RateLimits, keyOf: (req: Request, res: Response) => string): RequestHandler =>
    async (req, res, next) => {
      await take(res, name, keyOf(req, res))
      next()
    }

  /**
   * For every request: by person if its session lives, over all their sessions, otherwise by address. Whether it lives is
   * asked once a minute, and never for a request that is over its person's limit.
   */
  const all: RequestHandler = async (req, res, next) => {
    const { name, caller, verdict } = (await countByPerson(req)) ?? countByAddress(req)
    if (!verdict.allowed) await tarpit(caller, res)
    apply(res, name, limits[name], verdict, meter)
    next()
  }

  return {
    all,
    perUser: (name: 'provision') => shared(name, (_req, res) => sessionOf(res).user.id),
    /** `step`: one of several that have a bucket each. */
    perAddress: (name: 'signIn' | 'attestation', step?: string) =>
      shared(name, (req) => [step, clientAddress(req)].filter(Boolean).join('/')),
    /** For a user who is only known in the middle of a request. */
    ofUser: (res: Response, name: 'signInUser', userId: string) => take(res, name, userId),
  }
}

/** Sets the headers of draft-ietf-httpapi-ratelimit-headers; where several limits apply, the last one sets them. */
function apply(res: Response, name: string, { perSecond, burst }: RateLimit, verdict: LimitVerdict, meter: ApiMeter) {
  res.setHeader('ratelimit-policy', `"${name}";q=${burst};w=${Math.max(1, Math.ceil(burst / perSecond))}`)
  res.setHeader('ratelimit', `"${name}";r=${verdict.remaining};t=${verdict.resetSeconds}`)
  if (verdict.allowed) return
  meter.rateLimited(name)
  throw new ServiceError('rate_limited', 'too many requests; wait as long as Retry-After says', {
    share: name,
    retryAfterSeconds: verdict.retryAfterSeconds,
  })
}
