import type { DataSource } from 'typeorm'
import type { Reseal } from '../../database/index.js'
import { ResealEntity } from '../../database/entities/Reseal.js'

/** The evidence of every time that this wallet's key was resealed, oldest first. */
export function findReseals(database: DataSource, walletId: string): Promise<Reseal[]> {
  return database.getRepository(ResealEntity).find({ where: { walletId }, order: { version: 'ASC' } })
}
