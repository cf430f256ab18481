import type { DataSource } from 'typeorm'
import { findSignature, type SignedNotice } from '../database/index.js'
import type { HandOver } from '../temporal/index.js'

/** Answers whoever waits here for a signature that has been committed: the row is the truth, not the notice. */
export async function handOverSigned(database: DataSource, handOver: HandOver, notice: SignedNotice): Promise<void> {
  if (!handOver.isExpected(notice)) return
  try {
    const signed = await findSignature(database, notice.walletId, notice.digest)
    if (signed) handOver.give(notice, signed)
  } catch {
    // The workflow's own answer is under way.
  }
}
