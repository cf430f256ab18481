import { UsersAndSessions1700000000001 } from './1700000000001-users-and-sessions.js'
import { Signing1700000000002 } from './1700000000002-signing.js'

/** Every migration, oldest first. */
export const migrations = [UsersAndSessions1700000000001, Signing1700000000002]
