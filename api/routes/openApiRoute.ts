import { z } from 'zod'
import type { ApiSettings } from '../ApiDeps.js'
import type { Route } from '../http/Route.js'
import { createOpenApi } from '../openapi/createOpenApi.js'
import { sessionCookieName } from '../sessions/createSessions.js'
import { cookieName } from '../sessions/sealedCookie.js'
import { usesSecureCookies } from '../sessions/usesSecureCookies.js'

/** `GET /openapi.json`: describes these routes, and itself. */
export function createOpenApiRoute(routes: readonly Route[], settings: ApiSettings): Route {
  const route: Route = {
    method: 'get',
    path: '/openapi.json',
    operationId: 'openApi',
    summary: 'This description',
    answers: { 200: { description: 'OpenAPI 3.1', schema: z.record(z.string(), z.unknown()) } },
    errors: [],
    steps: [(_req, res) => void res.type('application/json').send(document)],
  }
  const sessionCookie = cookieName(sessionCookieName, usesSecureCookies(settings))
  const document = JSON.stringify(createOpenApi([...routes, route], { url: settings.publicUrl, sessionCookie }))
  return route
}
