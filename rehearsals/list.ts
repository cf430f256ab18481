import type { Rehearsal } from './Rehearsal.js'
import { growth } from './growth/growth.js'
import { restore } from './restore/restore.js'
import { rotation } from './rotation/rotation.js'
import { temporal } from './temporal/temporal.js'
import { upgrade } from './upgrade/upgrade.js'

/** In the order of `docs/operations.md`. */
export const rehearsals: readonly Rehearsal[] = [restore, upgrade, rotation, growth, temporal]
