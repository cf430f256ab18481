import { afterAll, beforeAll } from 'vitest'
import { describeMessages } from './authority/describeMessages.js'
import { describePostgresWriter } from './authority/describePostgresWriter.js'
import { describeTemporalWriter } from './authority/describeTemporalWriter.js'
import { describeWorker } from './authority/describeWorker.js'
import { startAuthority, type Authority } from './authority/startAuthority.js'

// What each attacker of docs/security.md tries, on the real database, Temporal and enclave.
let authority: Authority
beforeAll(async () => {
  authority = await startAuthority()
})
afterAll(() => authority?.close())

describePostgresWriter(() => authority)
describeTemporalWriter(() => authority)
describeWorker(() => authority)
describeMessages(() => authority)
