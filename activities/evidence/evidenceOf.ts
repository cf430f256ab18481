import type { CoordinatorEvidence } from '@perigee/core/enclave'
import type { Stated } from '@perigee/core/workflow'

/** The part of the coordinator's attestation that the enclave takes: it finds out the rest by verifying. */
export function evidenceOf(coordinator: Stated['coordinator']): CoordinatorEvidence {
  const { report, vek, intermediate, identity, nonce, expiresAt } = coordinator
  return { report, vek, intermediate, identity, nonce, expiresAt }
}
