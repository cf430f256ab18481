import express, { type Express } from 'express'
import helmet from 'helmet'
import type { ApiDeps } from './ApiDeps.js'
import { createCors } from './http/guards/createCors.js'
import { handleErrors, notFound } from './http/problem.js'
import { createRefuseForgery } from './http/guards/createRefuseForgery.js'
import { registerRoutes } from './http/registerRoutes.js'
import { createRequestContext } from './http/requestContext.js'
import { requireHost } from './http/guards/requireHost.js'
import { createTraceRequests } from './monitoring/createTraceRequests.js'
import { createRoutes } from './routes/createRoutes.js'
import { createRouteContext } from './routes/RouteContext.js'
import { createRequireUser } from './sessions/createRequireUser.js'

/** The whole HTTP surface. `stopping` is aborted when the process shuts down: streams end and readiness fails. */
export function createApp(deps: ApiDeps, stopping: AbortSignal = new AbortController().signal): Express {
  const { settings } = deps
  const app = express()
  app.disable('x-powered-by')
  app.set('etag', false)
  app.set('query parser', 'simple')
  app.set('trust proxy', settings.trustedProxies)

  app.use((_req, res, next) => {
    if (stopping.aborted) res.set('connection', 'close') // still served, but the client reconnects elsewhere
    next()
  })
  if (deps.tracing) app.use(createTraceRequests(deps.tracing))
  app.use(createRequestContext(deps.logger, deps.meter))
  app.use(secureHeaders)
  app.use(createCors(settings.webOrigins))
  app.use(requireHost)

  const context = createRouteContext(deps, stopping)
  app.use(context.limits.all)
  registerRoutes(app, createRoutes(context), {
    refuseForgery: createRefuseForgery(settings.webOrigins, settings.cookieSameSite),
    requireUser: createRequireUser(context.sessions),
  })

  app.use(notFound)
  app.use(handleErrors)
  return app
}

/** Answers are data: nothing in them may run, be framed or be sniffed as another type (ASVS 3.4). */
const secureHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"], baseUri: ["'none'"], formAction: ["'none'"] },
  },
  strictTransportSecurity: { maxAge: 63_072_000, includeSubDomains: true },
  xFrameOptions: { action: 'deny' },
  referrerPolicy: { policy: 'no-referrer' },
})
