import type { Hex } from '@perigee/core'
import type { CoordinatorPart } from '@perigee/core/receipt'

/** The coordinator's own SNP attestation, as it goes into receipts and to `/health/attestation`. */
export type CoordinatorAttestation = CoordinatorPart & { simulated: boolean; measurement: Hex }

export interface CoordinatorAttestor {
  /** The verified report in use, refreshed before it is stale. Cheap: a call makes no new report. */
  current(): Promise<CoordinatorAttestation>
  /** A new report over the caller's nonce (32 bytes hex), for `/health/attestation?nonce=`. */
  fresh(nonce: Hex): Promise<CoordinatorAttestation>
  close(): void
}
