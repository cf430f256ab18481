import type { RequestHandler } from 'express'
import type { ApiDeps } from '../ApiDeps.js'
import type { Route } from '../http/Route.js'
import { createRoutes } from '../routes/createRoutes.js'
import { createSessions } from '../sessions/createSessions.js'

/** The routes for documentation only: never run, so without dependencies. */
export function documentedRoutes(): Route[] {
  const settings = {
    publicUrl: 'http://localhost:8080',
    webOrigins: ['http://localhost:5173'],
    cookieSameSite: 'lax',
    sessionSecrets: [{ id: '1', secret: 'x'.repeat(32) }],
    chainIds: [],
    sealingVersion: 1,
    operators: [],
  } as unknown as ApiDeps['settings']
  const deps = { settings } as ApiDeps
  const never: RequestHandler = (_req, _res, next) => next()
  return createRoutes({
    deps,
    sessions: createSessions(deps),
    takeShare: () => Promise.resolve(),
    takeStreamPlace: () => Promise.resolve(() => undefined),
    limits: { all: never, perUser: () => never, perAddress: () => never, ofUser: () => Promise.resolve() },
    audit: () => Promise.resolve(),
    answerOnce: () => ({ answer: never, answerAgain: () => Promise.resolve(false) }),
    stopping: new AbortController().signal,
  })
}
