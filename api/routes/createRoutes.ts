import type { ApiDeps } from '../ApiDeps.js'
import type { Route } from '../http/Route.js'
import type { Sessions } from '../sessions/createSessions.js'
import { createAuthRoutes } from './authRoutes.js'
import { createHealthRoutes } from './healthRoutes.js'
import { createProofRoutes } from './proofRoutes.js'
import { createSignRoutes } from './signRoutes.js'
import { createWalletRoutes } from './walletRoutes.js'

/** Every route, in the order in which paths are tried. */
export function createRoutes(deps: ApiDeps, sessions: Sessions, stopping: AbortSignal): Route[] {
  return [
    ...createHealthRoutes(deps, stopping),
    ...createProofRoutes(deps, stopping),
    ...createAuthRoutes(deps, sessions),
    ...createWalletRoutes(deps, sessions),
    ...createSignRoutes(deps, sessions),
  ]
}
