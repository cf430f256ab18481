import { EntitySchema } from 'typeorm'
import { date, primary, text, type Row } from './columns.js'

/** From `staleAt` on nothing is signed, unless a worker refreshes it before. */
const columns = { kind: primary(text), refreshedAt: date, staleAt: date }

/** How fresh the vendors' collateral is, as the worker that refreshed it last said. */
export const CollateralStateEntity = new EntitySchema<Row<typeof columns>>({
  name: 'CollateralState',
  tableName: 'collateral_states',
  columns,
})
