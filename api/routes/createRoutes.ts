import type { ApiDeps } from '../ApiDeps.js'
import type { Audit } from '../audit/createAudit.js'
import type { Route } from '../http/Route.js'
import type { AnswerOnce } from '../idempotency/createAnswerOnce.js'
import type { Limits } from '../limits/createLimits.js'
import type { Sessions } from '../sessions/createSessions.js'
import { createAuthRoutes } from './authRoutes.js'
import { createDocsRoutes } from './docsRoutes.js'
import { createHealthRoutes } from './healthRoutes.js'
import { createOpenApiRoute } from './openApiRoute.js'
import { createOperatorRoutes } from './operatorRoutes.js'
import { createProofRoutes } from './proofRoutes.js'
import { createSessionRoutes } from './sessionRoutes.js'
import { createSignRoutes } from './signRoutes.js'
import { createWalletRoutes } from './walletRoutes.js'

/** What the routes of one app share. */
export interface RouteContext {
  deps: ApiDeps
  sessions: Sessions
  limits: Limits
  audit: Audit
  answerOnce: AnswerOnce
  stopping: AbortSignal
}

/** Every route, in the order in which paths are tried. */
export function createRoutes(context: RouteContext): Route[] {
  const routes = [
    ...createHealthRoutes(context),
    ...createDocsRoutes(context),
    ...createProofRoutes(context),
    ...createSessionRoutes(context),
    ...createAuthRoutes(context),
    ...createWalletRoutes(context),
    ...createSignRoutes(context),
    ...createOperatorRoutes(context),
  ]
  return [createOpenApiRoute(routes, context.deps.settings), ...routes]
}
