import { EntitySchema } from 'typeorm'
import { bytes, defaultNow, primary, text, time } from './columns.js'

/** Content-addressed bytes that receipts name by CID: collateral and trust anchors. Stored once each. */
export interface Bundle {
  cid: string
  kind: 'collateral' | 'trust-anchors'
  bytes: Uint8Array
}

export const BundleEntity = new EntitySchema<Bundle>({
  name: 'Bundle',
  tableName: 'bundles',
  columns: { cid: primary(text), kind: text, bytes },
  checks: [{ name: 'bundles_kind_check', expression: `kind IN ('collateral', 'trust-anchors')` }],
})

/** One block seen pinned on one IPFS node, read back and re-hashed. */
export interface Pin {
  cid: string
  node: string
  /** Last time the node really gave the bytes. */
  verifiedAt: string
}

export const PinEntity = new EntitySchema<Pin>({
  name: 'Pin',
  tableName: 'pins',
  columns: { cid: primary(text), node: primary(text), verifiedAt: defaultNow(time) },
})
