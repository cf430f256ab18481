import type { UnixSeconds } from '@perigee/core'
import type { SigningPolicy } from '@perigee/core/policy'
import type { Admission } from '../authority/admission.js'
import type { VerifyAsker } from '../authority/coordinatorTrust.js'
import type { Platform } from '../platforms/Platform.js'

/** What the operations share. */
export interface OperationDeps {
  platform: Platform
  admission: Admission
  verifyAsker: VerifyAsker
  policy: SigningPolicy
  now(): UnixSeconds
}
