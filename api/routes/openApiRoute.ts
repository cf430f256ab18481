import { z } from 'zod'
import type { Route } from '../http/Route.js'
import { createOpenApi } from '../openapi/createOpenApi.js'

/** `GET /openapi.json`: describes these routes, and itself. */
export function createOpenApiRoute(routes: readonly Route[], publicUrl: string): Route {
  const route: Route = {
    method: 'get',
    path: '/openapi.json',
    operationId: 'openApi',
    summary: 'This description',
    answers: { 200: { description: 'OpenAPI 3.1', schema: z.record(z.string(), z.unknown()) } },
    errors: [],
    steps: [(_req, res) => void res.type('application/json').send(document)],
  }
  const document = JSON.stringify(createOpenApi([...routes, route], publicUrl))
  return route
}
