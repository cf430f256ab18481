import type { TestService } from '../../tests/rigs/workers/startService.js'
import { createLookups } from '../createLookups.js'

/** For an API whose database, workflows, worker and enclave are real. */
export function realDeps({ database, temporal, attestor, statements }: TestService) {
  return { database, temporal, attestor, statements, ...createLookups(database, 'http://gateway.example.test') }
}
