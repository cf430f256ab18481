import { EntitySchema } from 'typeorm'
import { date, of, primary, text, type Row } from './columns.js'

/** `chain`: published blocks were looked for. `pins`: blocks were looked for on the IPFS nodes. */
export type RepairPart = 'chain' | 'pins'

const columns = { part: primary(of<RepairPart>(text)), completedAt: date }

/** When any worker last completed a part of `repairProofs`; before the first time, when the database was made. */
export const RepairEntity = new EntitySchema<Row<typeof columns>>({ name: 'Repair', tableName: 'repairs', columns })
