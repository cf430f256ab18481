import { date, of, primary, table, text } from './columns.js'

/** `chain`: published blocks were looked for. `pins`: blocks were looked for on the IPFS nodes. */
export type RepairPart = 'chain' | 'pins'

/** When any worker last completed a part of `repairProofs`; before the first time, when the database was made. */
export const RepairEntity = table({
  name: 'Repair',
  tableName: 'repairs',
  columns: { part: primary(of<RepairPart>(text)), completedAt: date },
})
