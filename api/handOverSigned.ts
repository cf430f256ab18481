import type { DataSource } from 'typeorm'
import { findSignature, listenForSignatures, type SignatureListener } from '../database/index.js'
import type { HandOver } from '../temporal/index.js'

/** Answers whoever waits here for a signature as soon as it is committed: the row is the truth, not the notice. */
export function handOverSigned(
  database: DataSource,
  databaseUrl: string,
  handOver: HandOver,
  onProblem: (error: unknown) => void,
): SignatureListener {
  return listenForSignatures(
    databaseUrl,
    (notice) => {
      if (!handOver.isExpected(notice)) return
      findSignature(database, notice.walletId, notice.digest).then(
        (signed) => signed && handOver.give(notice, signed),
        () => undefined, // the workflow's own answer is under way
      )
    },
    onProblem,
  )
}
