import type { DataSource } from 'typeorm'
import type { Hex } from '@perigee/core'
import { PublicationEntity, type Publication } from '../entities/Publication.js'
import { selectAs } from '../selectAs.js'
import { inPages, pageSize } from './inPages.js'

type Shown = 'slug' | 'kind' | 'status' | 'txHash' | 'chainId' | 'errorCode' | 'errorMessage'
export interface StuckProof extends Pick<Publication, Shown> {
  wallet: Hex
  since: Date
  abandoned: boolean
}

const columns = {
  slug: 'publication.slug',
  kind: 'publication.kind',
  status: 'publication.status',
  wallet: 'wallet.address',
  txHash: 'publication.txHash',
  chainId: 'publication.chainId',
  since: 'publication.statusSince',
  errorCode: 'publication.errorCode',
  errorMessage: 'publication.errorMessage',
  abandoned: 'publication.abandonedAt IS NOT NULL',
}

/** Proofs that failed, and those that are not terminal after `overdueSeconds`. Abandoned ones only when asked for. */
export async function* findStuck(
  db: DataSource,
  { overdueSeconds, abandoned }: { overdueSeconds: number; abandoned: boolean },
): AsyncGenerator<StuckProof> {
  const read = (after: string) => {
    const stuck = selectAs(db.createQueryBuilder(PublicationEntity, 'publication'), columns)
      .innerJoin('Wallet', 'wallet', 'wallet.id = publication.walletId')
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
