import type { Request, Response } from 'express'
import { ServiceError, type Facts } from '@perigee/core'
import { takeShare, type ShareScope } from '../../database/index.js'
import type { ApiDeps } from '../ApiDeps.js'
import { clientAddress } from '../limits/clientAddress.js'
import type { RateLimit } from '../limits/RateLimit.js'
import { describeRefusal } from './describeRefusal.js'
import type { Group, Share } from './Shares.js'

/** Who asks, as the identity provider and our tables name them. */
export interface Asker {
  userId: string
  issuer: string
  subject: string
}

/** What is asked for. `hash` is the digest, or a message's request hash, `facts` what the audit log says about it. */
type Asked = { kind: 'transaction' | 'message'; hash: string; facts: Facts } | { kind: 'birth' }

/**
 * Counts what is asked for, writes the audit event of a signature in the same commit, sets the headers of the answer, and throws
 * when a share is used up. What was made or counted before costs nothing.
 */
export type TakeShare = (res: Response, asker: Asker, asked: Asked) => Promise<void>

const daySeconds = 86_400

/** Shares of users, groups and addresses. Postgres decides, for all processes together. */
export function createShares(deps: Pick<ApiDeps, 'settings' | 'database' | 'meter' | 'now'>): TakeShare {
  const { settings, database, meter, now } = deps
  const { shares, unsentSeconds, entropyReserve } = settings
  const groups = new Map(shares.groups.flatMap((group) => group.members.map((member) => [keyOf(member), group])))

  function scopesFor(req: Request, userId: string, group: Group | undefined, { kind }: Asked): ShareScope[] {
    const isBirth = kind === 'birth'
    const address = `share/${isBirth ? 'births' : 'address'}/${clientAddress(req)}`
    return [
      { scope: 'address', key: address, ...bucket(isBirth ? shares.births : shares.addresses) },
      ...(group ? [scopeOf('group', `share/group/${group.name}`, group.group)] : []),
      scopeOf('user', `share/user/${userId}`, (group ?? shares).users),
    ]
  }

  /** `RateLimit-Policy` of one share: how many, in how many seconds. */
  function policyOf(share: string, scopes: readonly ShareScope[]): { most: number; seconds: number } {
    const [name, limit] = share.split('.')
    const scope = scopes.find((one) => one.scope === name)
    if (!scope) return { most: entropyReserve, seconds: daySeconds }
    if (limit === 'perDay') return { most: scope.perDay ?? 0, seconds: daySeconds }
    if (limit === 'unsent') return { most: scope.unsent ?? 0, seconds: unsentSeconds }
    return { most: scope.burst, seconds: Math.max(1, Math.ceil((scope.burst * scope.intervalMs) / 1000)) }
  }

  return async (res, asker, asked) => {
    const group = groups.get(keyOf(asker))
    const scopes = scopesFor(res.req, asker.userId, group, asked)
    const subject = asker.userId
    const answer = await takeShare(database, {
      userId: asker.userId,
      kind: asked.kind,
      hash: asked.kind === 'birth' ? 'birth' : asked.hash,
      group: group?.name ?? null,
      scopes,
      unsentSeconds,
      entropyReserve,
      event: asked.kind === 'birth' ? null : { at: now(), kind: 'signature_requested', subject, facts: asked.facts },
    })
    if (answer.outcome === 'known') return
    const isRefused = answer.outcome === 'refused'
    const share = isRefused ? answer.share : 'user.perDay'
    const { most, seconds } = policyOf(share, scopes)
    const resetSeconds = Math.max(1, Math.ceil(isRefused ? answer.wait : secondsToMidnight(now())))
    if (!res.headersSent) {
      const remaining = isRefused ? 0 : Math.max(0, most - answer.used)
      res.setHeader('ratelimit-policy', `"${share}";q=${most};w=${seconds}`)
      res.setHeader('ratelimit', `"${share}";r=${remaining};t=${resetSeconds}`)
    }
    if (!isRefused) return
    meter.rateLimited(share)
    const code = share === 'entropy' ? 'entropy_unavailable' : 'share_exceeded'
    throw new ServiceError(code, describeRefusal(share), { share, retryAfterSeconds: resetSeconds })
  }
}

const keyOf = ({ issuer, subject }: { issuer: string; subject: string }) => `${issuer} ${subject}`

const bucket = ({ perSecond, burst }: RateLimit) => ({ intervalMs: 1000 / perSecond, burst })

function scopeOf(scope: 'user' | 'group', key: string, { perDay, unsent, ...rate }: Share): ShareScope {
  return { scope, key, ...bucket(rate), perDay, unsent }
}

const secondsToMidnight = (at: Date): number => daySeconds - (Math.floor(at.getTime() / 1000) % daySeconds)
