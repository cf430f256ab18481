import { createDocsRoutes } from '../docs/docsRoutes.js'
import type { Route } from '../http/Route.js'
import { createAuthRoutes } from './authRoutes.js'
import { createHealthRoutes } from './healthRoutes.js'
import { createMessageRoutes } from './signing/messageRoutes.js'
import { createOperatorRoutes } from './operatorRoutes.js'
import { createOwnersRoutes } from './ownersRoutes.js'
import { createProofRoutes } from './proofRoutes.js'
import type { RouteContext } from './RouteContext.js'
import { createSessionRoutes } from './sessionRoutes.js'
import { createSignRoutes } from './signing/signRoutes.js'
import { createWalletRoutes } from './walletRoutes.js'

/** Every route, in the order in which paths are tried. */
export function createRoutes(context: RouteContext): Route[] {
  const routes = [
    ...createHealthRoutes(context),
    ...createProofRoutes(context),
    ...createSessionRoutes(context),
    ...createAuthRoutes(context),
    ...createWalletRoutes(context),
    ...createOwnersRoutes(context),
    ...createSignRoutes(context),
    ...createMessageRoutes(context),
    ...createOperatorRoutes(context),
  ]
  return [...createDocsRoutes(context.deps, routes), ...routes]
}
