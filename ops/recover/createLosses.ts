import type { Client } from '@temporalio/client'
import type { DataSource } from 'typeorm'
import type { BundleFinder } from './createBundleFinder.js'

/** Collects what the database lost: what can be put back, and what cannot. */
export function createLosses() {
  const found: { kind: string; id: string }[] = []
  const lost: { kind: string; id: string; why: string }[] = []
  const checked: Record<string, number> = {}
  /** Transactions that a history accounts for, put back or not. */
  const explained = new Set<string>()
  return {
    found,
    lost,
    checked,
    explained,
    recovered: (kind: string, id: string): void => void found.push({ kind, id }),
    gone: (kind: string, id: string, why: string): void => void lost.push({ kind, id, why }),
    isWalletBack: (address: string): boolean => found.some(({ kind, id }) => kind === 'wallet' && id === address),
    count: (what: string, by = 1): void => void (checked[what] = (checked[what] ?? 0) + by),
  }
}

export type Losses = ReturnType<typeof createLosses>

/** What the parts of a recovery share. */
export interface Recovery {
  database: DataSource
  client: Client
  losses: Losses
  findBundle: BundleFinder
  /** False: only look. */
  apply: boolean
}
