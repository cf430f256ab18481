import { In, IsNull, MoreThan, Not, type DataSource, type FindOptionsWhere } from 'typeorm'
import type { Hex, ProofStatus } from '@perigee/core'
import { PublicationEntity, type Publication } from '../entities/Publication.js'
import { olderThan } from './olderThan.js'
import { inPages, pageSize } from './inPages.js'

export interface StuckProof {
  slug: string
  status: ProofStatus
  wallet: Hex
  txHash: Hex
  chainId: number
  since: Date
  errorCode: string | null
  errorMessage: string | null
  abandoned: boolean
}

/** Proofs that failed, and those that are not terminal after `overdueSeconds`. Abandoned ones only when asked for. */
export async function* findStuck(
  db: DataSource,
  { overdueSeconds, abandoned }: { overdueSeconds: number; abandoned: boolean },
): AsyncGenerator<StuckProof> {
  const read = (after: string) => {
    const wanted: FindOptionsWhere<Publication> = { slug: MoreThan(after) }
    if (!abandoned) wanted.abandonedAt = IsNull()
    return db.getRepository(PublicationEntity).find({
      select: {
        slug: true,
        status: true,
        statusSince: true,
        errorCode: true,
        errorMessage: true,
        abandonedAt: true,
        transaction: { id: true, txHash: true, chainId: true, wallet: { id: true, address: true } },
      },
      relations: { transaction: { wallet: true } },
      where: [
        { ...wanted, status: In(['pin_failed', 'onchain_failed']) },
        { ...wanted, status: Not('complete'), createdAt: olderThan(overdueSeconds) },
      ],
      order: { slug: 'ASC' },
      take: pageSize,
    })
  }
  for await (const page of inPages('', ({ slug }) => slug, read)) {
    for (const { slug, status, statusSince, errorCode, errorMessage, abandonedAt, transaction } of page) {
      const { txHash, chainId, wallet } = transaction
      const isAbandoned = abandonedAt !== null
      const since = new Date(statusSince)
      yield {
        slug,
        status,
        wallet: wallet.address,
        txHash,
        chainId,
        since,
        errorCode,
        errorMessage,
        abandoned: isAbandoned,
      }
    }
  }
}
