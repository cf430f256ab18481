import type { ApiDeps } from '../ApiDeps.js'
import { createAudit } from '../auditLog/createAudit.js'
import { createAnswerOnce } from '../idempotency/createAnswerOnce.js'
import { createLimits } from '../limits/createLimits.js'
import { createSessions } from '../sessions/createSessions.js'
import { createShares } from '../shares/createShares.js'
import { createStreamPlaces } from '../shares/createStreamPlaces.js'

/** What the routes of one app share. */
export function createRouteContext(deps: ApiDeps, stopping: AbortSignal) {
  const sessions = createSessions(deps)
  return {
    deps,
    stopping,
    sessions,
    limits: createLimits(deps, sessions),
    takeShare: createShares(deps),
    takeStreamPlace: createStreamPlaces(deps, sessions),
    audit: createAudit(deps),
    answerOnce: createAnswerOnce(deps),
  }
}
export type RouteContext = ReturnType<typeof createRouteContext>
