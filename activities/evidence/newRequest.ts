import { randomBytes } from 'node:crypto'
import { toHex } from '@perigee/core'
import type { Stated } from '@perigee/core/workflow'

/**
 * What every request to the enclave has: a nonce of its own, the statement, and the part of the coordinator's attestation that the
 * enclave takes: it finds out the rest by verifying.
 */
export function newRequest({ coordinator, statement }: Stated) {
  const { report, vek, intermediate, identity, nonce, expiresAt } = coordinator
  const evidence = { report, vek, intermediate, identity, nonce, expiresAt }
  return { nonce: toHex(randomBytes(32)), coordinator: evidence, statement }
}
