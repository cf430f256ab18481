import { EntitySchema } from 'typeorm'
import { bytes, text, time } from './columns.js'

/** Content-addressed bytes that receipts name by CID: collateral and trust anchors. Stored once each. */
export interface Bundle {
  cid: string
  kind: 'collateral' | 'trust-anchors'
  bytes: Uint8Array
  createdAt: string
}

export const BundleEntity = new EntitySchema<Bundle>({
  name: 'Bundle',
  tableName: 'bundles',
  columns: {
    cid: text('cid', { primary: true }),
    kind: text('kind'),
    bytes: bytes('bytes'),
    createdAt: time('created_at'),
  },
})

/** One block seen pinned on one IPFS node, read back and re-hashed. */
export interface Pin {
  cid: string
  node: string
  pinnedAt: string
  /** Last time the node really gave the bytes. */
  verifiedAt: string
}

export const PinEntity = new EntitySchema<Pin>({
  name: 'Pin',
  tableName: 'pins',
  columns: {
    cid: text('cid', { primary: true }),
    node: text('node', { primary: true }),
    pinnedAt: time('pinned_at'),
    verifiedAt: time('verified_at'),
  },
})
