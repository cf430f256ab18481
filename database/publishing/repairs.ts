import type { DataSource } from 'typeorm'
import { RepairEntity, type RepairPart } from '../entities/Repair.js'

export async function markRepaired(database: DataSource, part: RepairPart): Promise<void> {
  await database.getRepository(RepairEntity).update({ part }, { completedAt: () => 'clock_timestamp()' })
}

export async function lastRepairs(database: DataSource): Promise<{ part: RepairPart; completedAt: Date }[]> {
  return database.getRepository(RepairEntity).find()
}
