import { bytes, defaultNow, of, primary, table, text, time, type RowOf } from './columns.js'

/** Content-addressed bytes that readers need beside receipts: collateral, trust anchors, lists of builds, heads of the audit log. Stored once each. */
export const BundleEntity = table({
  name: 'Bundle',
  tableName: 'bundles',
  columns: {
    cid: primary(text),
    kind: of<'collateral' | 'trust-anchors' | 'release-list' | 'audit-head'>(text),
    bytes: of<Uint8Array>(bytes),
  },
  checks: [
    {
      name: 'bundles_kind_check',
      expression: `kind IN ('collateral', 'trust-anchors', 'release-list', 'audit-head')`,
    },
  ],
})
export type Bundle = RowOf<typeof BundleEntity>

/** Blocks seen pinned on an IPFS node. `verifiedAt`: the last time the node really gave the bytes, which were re-hashed. */
export const PinEntity = table({
  name: 'Pin',
  tableName: 'pins',
  columns: { cid: primary(text), node: primary(text), verifiedAt: defaultNow(time) },
})
