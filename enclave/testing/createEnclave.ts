import { ServiceError, type UnixSeconds } from '@perigee/core'
import { createAdmission } from '../authority/admission.js'
import { parseConfig } from '../config.js'
import {
  createCoordinatorTrust,
  type CoordinatorTrustOptions,
  type VerifyAsker,
} from '../authority/coordinatorTrust.js'
import { createOperations } from '../operations/operations.js'
import { limitQuotes, type Platform } from '../platforms/Platform.js'
import { openSimulatedPlatform } from '../platforms/simulatedPlatform.js'
import { nowSeconds, type TestWorld } from './createTestWorld.js'

export interface EnclaveChanges {
  env?: Record<string, string>
  platform?: Partial<Platform>
  coordinators?: Partial<CoordinatorTrustOptions>
  /** In place of the check of coordinator and statement. */
  verifyAsker?: VerifyAsker
  now?(): UnixSeconds
}

/** The enclave's operations in the test's own process, without its server. It counts how often a key was opened or sealed. */
export function createEnclave(world: Pick<TestWorld, 'dir' | 'env'>, changes: EnclaveChanges = {}) {
  const config = parseConfig({ ...world.env, ...changes.env })
  const now = changes.now ?? nowSeconds
  const simulated = { ...openSimulatedPlatform(world.dir, config.sealingVersions), ...changes.platform }
  const uses = { sealingKey: 0 }
  const counting: Platform = {
    name: simulated.name,
    get sealingKeys() {
      uses.sealingKey++
      return simulated.sealingKeys
    },
    quote: simulated.quote,
  }
  const operations = createOperations({
    platform: limitQuotes(counting, config.quotes),
    admission: createAdmission({ trust: config.trust, capacity: config.rememberedRequests }),
    verifyAsker:
      changes.verifyAsker ?? createCoordinatorTrust({ ...config.coordinators, now, ...changes.coordinators }),
    policy: config.policy,
    now,
  })
  return {
    config,
    operations,
    uses,
    createKey: operations['POST /create-key'],
    signTransaction: operations['POST /sign-transaction'],
    signMessage: operations['POST /sign-message'],
    changeOwners: operations['POST /change-owners'],
    resealKey: operations['POST /reseal-key'],
  }
}

/** `accepted`, or the code of the refusal. */
export const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'accepted',
    (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
  )
