import type { RouteContext } from './createRoutes.js'
import type { Route } from '../http/Route.js'

/** The page that receipts name as their description, so that a reader of a receipt finds it. */
export function createDocsRoutes({ deps }: Pick<RouteContext, 'deps'>): Route[] {
  return [
    {
      method: 'get',
      path: '/docs/receipt-v1',
      operationId: 'receiptFormat',
      summary: 'What every field of a receipt means, what it proves, and how to check it by hand',
      answers: { 200: { description: 'the page, as Markdown', contentType: 'text/markdown' } },
      errors: [],
      steps: [
        (_req, res) => {
          res.set('Cache-Control', 'public, max-age=3600').type('text/markdown').send(deps.receiptPage)
        },
      ],
    },
  ]
}
