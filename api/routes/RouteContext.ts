import type { ApiDeps } from '../ApiDeps.js'
import type { Audit } from '../auditLog/createAudit.js'
import type { AnswerOnce } from '../idempotency/createAnswerOnce.js'
import type { Limits } from '../limits/createLimits.js'
import type { TakeShare } from '../shares/createShares.js'
import type { TakeStreamPlace } from '../shares/createStreamPlaces.js'
import type { Sessions } from '../sessions/createSessions.js'

/** What the routes of one app share. */
export interface RouteContext {
  deps: ApiDeps
  sessions: Sessions
  limits: Limits
  takeShare: TakeShare
  takeStreamPlace: TakeStreamPlace
  audit: Audit
  answerOnce: AnswerOnce
  stopping: AbortSignal
}
