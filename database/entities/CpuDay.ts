import { EntitySchema } from 'typeorm'
import { day, integer, primary, text, type Row } from './columns.js'

const columns = { day: primary(day), program: primary(text), milliseconds: integer }

/** Processor time that all processes of a program used on a UTC day, as they reported it themselves. */
export const CpuDayEntity = new EntitySchema<Row<typeof columns>>({ name: 'CpuDay', tableName: 'cpu_days', columns })
