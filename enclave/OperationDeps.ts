import type { UnixSeconds } from '@perigee/core'
import type { Admission } from './admission.js'
import type { VerifyAsker } from './coordinatorTrust.js'
import type { Platform } from './platforms/Platform.js'
import type { SigningPolicy } from './signingPolicy.js'

/** What the operations share. */
export interface OperationDeps {
  platform: Platform
  admission: Admission
  verifyAsker: VerifyAsker
  policy: SigningPolicy
  now(): UnixSeconds
}
