import { z } from 'zod'
import type { ApiDeps } from '../ApiDeps.js'
import type { Route } from '../http/Route.js'
import { cookieName, usesSecureCookies } from '../sessions/createSealedCookie.js'
import { sessionCookieName } from '../sessions/createSessions.js'
import { createOpenApi } from './createOpenApi.js'

/** The receipt format, which every receipt links to, and the OpenAPI description of `routes` and of these two. */
export function createDocsRoutes(
  { settings, receiptPage }: Pick<ApiDeps, 'settings' | 'receiptPage'>,
  routes: Route[],
) {
  const own: Route[] = [
    {
      method: 'get',
      path: '/openapi.json',
      operationId: 'openApi',
      summary: 'This description',
      answers: { 200: { description: 'OpenAPI 3.1', schema: z.record(z.string(), z.unknown()) } },
      steps: [(_req, res) => void res.type('application/json').send(document)],
    },
    {
      method: 'get',
      path: '/docs/receipt-v1',
      operationId: 'receiptFormat',
      summary: 'What every field of a receipt means, what it proves, and how to check it by hand',
      answers: { 200: { description: 'the page, as Markdown', contentType: 'text/markdown' } },
      steps: [
        (_req, res) => {
          res.set('Cache-Control', 'public, max-age=3600').type('text/markdown').send(receiptPage)
        },
      ],
    },
  ]
  const sessionCookie = cookieName(sessionCookieName, usesSecureCookies(settings))
  const document = JSON.stringify(createOpenApi([...own, ...routes], { url: settings.publicUrl, sessionCookie }))
  return own
}
