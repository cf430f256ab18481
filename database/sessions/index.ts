export { SessionEntity, type Session } from './Session.js'
export {
  findLiveSession,
  findLiveSessionsOf,
  insertSession,
  revokeOwnSession,
  revokeSession,
  revokeSessionsOf,
  touchSession,
  type LiveSession,
} from './sessions.js'
export { sweepSessions, useSignInTransaction } from './signInTransactions.js'
