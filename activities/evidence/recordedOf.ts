import type { Attestation } from '../../database/index.js'

/**
 * What a record fixes beyond the answers of the steps. It goes into history, so that a record that the database loses can be
 * put back and gives the same receipt, byte for byte (`npm run ops -- recover`).
 */
export type Recorded = Pick<Attestation, 'issuedAt' | 'anchors' | 'trustAnchorsCid'>

export const recordedOf = ({ issuedAt, anchors, trustAnchorsCid }: Recorded): Recorded => ({
  issuedAt,
  anchors,
  trustAnchorsCid,
})
