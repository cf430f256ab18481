import { EntitySchema } from 'typeorm'
import { bytes, defaultNow, of, primary, text, time, type Row } from './columns.js'

const bundleColumns = {
  cid: primary(text),
  kind: of<'collateral' | 'trust-anchors' | 'release-list' | 'audit-head'>(text),
  bytes: of<Uint8Array>(bytes),
}

/** Content-addressed bytes that readers need beside receipts: collateral, trust anchors, lists of builds, heads of the audit log. Stored once each. */
export type Bundle = Row<typeof bundleColumns>

export const BundleEntity = new EntitySchema<Bundle>({
  name: 'Bundle',
  tableName: 'bundles',
  columns: bundleColumns,
  checks: [
    {
      name: 'bundles_kind_check',
      expression: `kind IN ('collateral', 'trust-anchors', 'release-list', 'audit-head')`,
    },
  ],
})

/** `verifiedAt`: the last time the node really gave the bytes. */
const pinColumns = { cid: primary(text), node: primary(text), verifiedAt: defaultNow(time) }

/** One block seen pinned on one IPFS node, read back and re-hashed. */
export const PinEntity = new EntitySchema<Row<typeof pinColumns>>({
  name: 'Pin',
  tableName: 'pins',
  columns: pinColumns,
})
