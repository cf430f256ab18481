import { day, integer, primary, table, text } from './columns.js'

/** Processor time that all processes of a program used on a UTC day, as they reported it themselves. */
export const CpuDayEntity = table({
  name: 'CpuDay',
  tableName: 'cpu_days',
  columns: { day: primary(day), program: primary(text), milliseconds: integer },
})
