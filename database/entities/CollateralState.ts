import { date, primary, table, text } from './columns.js'

/** How fresh the vendors' collateral is, as the worker that refreshed it last said. From `staleAt` on nothing is signed. */
export const CollateralStateEntity = table({
  name: 'CollateralState',
  tableName: 'collateral_states',
  columns: { kind: primary(text), refreshedAt: date, staleAt: date },
})
