import type { DataSource } from 'typeorm'
import type { Hex } from '@perigee/core'
import type { Publication } from '../entities/Publication.js'
import { selectProofs } from '../selectAs.js'
import { inPages, pageSize } from './inPages.js'

const shown = ['slug', 'kind', 'status', 'txHash', 'chainId', 'errorCode', 'errorMessage'] as const
export interface StuckProof extends Pick<Publication, (typeof shown)[number]> {
  wallet: Hex
  since: Date
  abandoned: boolean
}

/** Proofs that failed, and those that are not terminal after `overdueSeconds`. Abandoned ones only when asked for. */
export async function* findStuck(
  db: DataSource,
  { overdueSeconds, abandoned }: { overdueSeconds: number; abandoned: boolean },
): AsyncGenerator<StuckProof> {
  const read = (after: string) => {
    const times = { since: 'publication.statusSince', abandoned: 'publication.abandonedAt IS NOT NULL' }
    const stuck = selectProofs(db, [...shown], times)
      .where('publication.slug > :after', { after })
      .andWhere(
        `(publication.status IN ('pin_failed', 'onchain_failed') OR publication.status <> 'complete'
          AND publication.createdAt < now() - make_interval(secs => :overdueSeconds))`,
        { overdueSeconds },
      )
    if (!abandoned) stuck.andWhere('publication.abandonedAt IS NULL')
    return stuck.orderBy('publication.slug').limit(pageSize).getRawMany<StuckProof>()
  }
  for await (const page of inPages('', ({ slug }) => slug, read)) yield* page
}
