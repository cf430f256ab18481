import { Signing1700000000002 } from './1700000000002-signing.js'

/** Every migration, oldest first. */
export const migrations = [Signing1700000000002]
