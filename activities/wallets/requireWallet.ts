import type { DataSource } from 'typeorm'
import { ServiceError } from '@perigee/core'
import { findWallet, type Wallet } from '../../database/index.js'

export async function requireWallet(database: DataSource, walletId: string): Promise<Wallet> {
  const wallet = await findWallet(database, walletId)
  if (!wallet) throw new ServiceError('wallet_not_found', 'there is no such wallet')
  return wallet
}
