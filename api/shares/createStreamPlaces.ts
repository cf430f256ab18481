import type { Request, Response } from 'express'
import { describeError, ServiceError } from '@perigee/core'
import { leaveStreamPlace, placeSeconds, renewStreamPlace, takeStreamPlace } from '../../database/index.js'
import type { ApiDeps } from '../ApiDeps.js'
import { contextOf } from '../http/requestContext.js'
import { clientAddress } from '../limits/clientAddress.js'
import type { Sessions } from '../sessions/createSessions.js'
import { describeRefusal } from './describeRefusal.js'

/** Takes a place for one event stream and returns what gives it back; throws `share_exceeded` when there is none. */
export type TakeStreamPlace = (req: Request, res: Response) => Promise<() => void>

const retryAfterSeconds = 30

/** Event streams per address and per user, over all processes. A stream needs no session; with one, it counts for its user. */
export function createStreamPlaces(
  { settings, database, meter }: Pick<ApiDeps, 'settings' | 'database' | 'meter'>,
  sessions: Pick<Sessions, 'peek'>,
): TakeStreamPlace {
  return async (req, res) => {
    const session = await sessions.peek(req)
    const holder = { address: clientAddress(req), userId: session?.user.id ?? null }
    const place = await takeStreamPlace(database, holder, settings.shares.streams)
    if ('full' in place) {
      const share = `${place.full}.streams`
      meter.rateLimited(share)
      res.setHeader('ratelimit-policy', `"${share}";q=${place.limit};w=${retryAfterSeconds}`)
      res.setHeader('ratelimit', `"${share}";r=0;t=${retryAfterSeconds}`)
      throw new ServiceError('share_exceeded', describeRefusal(share), { share, retryAfterSeconds })
    }
    const failed = (error: unknown) =>
      contextOf(res).logger.warn(describeError(error), 'the place of an event stream was not updated; it frees itself')
    const renewing = setInterval(
      () => void renewStreamPlace(database, place.id).catch(failed),
      (placeSeconds * 1000) / 3,
    )
    return () => {
      clearInterval(renewing)
      leaveStreamPlace(database, place.id).catch(failed)
    }
  }
}
