import type { TestService } from '../../tests/rigs/startService.js'
import { createLookups } from '../createLookups.js'

/** For an API whose database, workflows, worker and enclave are real. */
export function realDeps({ database, temporal }: Pick<TestService, 'database' | 'temporal'>) {
  return { database, temporal, ...createLookups(database, 'http://gateway.example.test') }
}
