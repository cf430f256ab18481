import { MoreThan, type DataSource } from 'typeorm'
import type { Hex, ProofStatus } from '@perigee/core'
import { BundleEntity, PinEntity, type Bundle } from '../entities/Bundle.js'
import { TransactionEntity } from '../entities/Transaction.js'
import { WalletEntity, type Wallet } from '../entities/Wallet.js'
import { selectAs } from '../selectAs.js'
import { inPages, pageSize } from './inPages.js'

/** A signature with its publication. */
export interface KnownProof {
  slug: string
  /** Null when a signature has no publication at all. */
  status: ProofStatus | null
  cid: string | null
  wallet: Hex
  txHash: Hex
  onchainTxHash: Hex | null
}

/** One proof as reconciliation needs it. */
export interface ReconciledProof extends KnownProof {
  receipt: string | null
  signature: Hex
  onchainBlockNumber: number | null
  onchainBlockHash: Hex | null
  publicationChainId: number | null
  ageSeconds: number
}

function signatures(db: DataSource, more: Record<string, string> = {}) {
  const query = db
    .createQueryBuilder(TransactionEntity, 'transaction')
    .innerJoin('transaction.wallet', 'wallet')
    .leftJoin('Publication', 'publication', 'publication.slug = transaction.slug')
  return selectAs(query, {
    slug: 'transaction.slug',
    status: 'publication.status',
    cid: 'publication.cid',
    wallet: 'wallet.address',
    txHash: 'transaction.txHash',
    onchainTxHash: 'publication.onchainTxHash',
    ...more,
  })
}

/** Every signature with its publication, page by page. */
export function walkProofs(db: DataSource): AsyncGenerator<ReconciledProof[]> {
  const columns = {
    receipt: 'publication.receipt',
    signature: 'transaction.signature',
    onchainBlockNumber: 'publication.onchainBlockNumber',
    onchainBlockHash: 'publication.onchainBlockHash',
    publicationChainId: `(attestation.anchors->'publication'->>'chainId')::bigint`,
    ageSeconds: 'extract(epoch FROM now() - transaction.createdAt)::float8',
  }
  const read = (after: string) =>
    signatures(db, columns)
      .leftJoin('Attestation', 'attestation', 'attestation.transactionId = transaction.id')
      .where('transaction.slug > :after', { after })
      .orderBy('transaction.slug')
      .limit(pageSize)
      .getRawMany<ReconciledProof>()
  return inPages('', ({ slug }) => slug, read)
}

/** The proofs of these transactions. */
export function findProofsOf(db: DataSource, txHashes: readonly Hex[]): Promise<KnownProof[]> {
  return signatures(db).where('transaction.txHash = ANY(:txHashes)', { txHashes }).getRawMany<KnownProof>()
}

/** Bundles that receipts name, once they have been pinned, page by page. */
export function walkBundles(db: DataSource): AsyncGenerator<Pick<Bundle, 'cid' | 'bytes'>[]> {
  return inPages(
    '',
    ({ cid }: Bundle) => cid,
    (after) =>
      db
        .createQueryBuilder(BundleEntity, 'bundle')
        .where('bundle.cid > :after', { after })
        .andWhereExists(db.createQueryBuilder(PinEntity, 'pin').where('pin.cid = bundle.cid'))
        .orderBy('bundle.cid')
        .limit(pageSize)
        .getMany(),
  )
}

/** Every wallet, page by page. */
export function walkWallets(db: DataSource): AsyncGenerator<Pick<Wallet, 'id' | 'address'>[]> {
  const wallets = db.getRepository(WalletEntity)
  const select = { id: true, address: true } as const
  return inPages(
    '00000000-0000-0000-0000-000000000000',
    ({ id }) => id,
    (after) => wallets.find({ select, where: { id: MoreThan(after) }, order: { id: 'ASC' }, take: pageSize }),
  )
}

/** Chains that wallets have signed for. */
export async function findSignedChains(db: DataSource): Promise<number[]> {
  const rows = await db
    .createQueryBuilder(TransactionEntity, 'transaction')
    .select('transaction.chainId', 'chainId')
    .distinct()
    .getRawMany<{ chainId: number }>()
  return rows.map(({ chainId }) => chainId)
}

export interface SignedNonce extends KnownProof {
  nonce: number
}

/** Signatures of one wallet for one chain, from a nonce on. */
export function findSignedNonces(
  db: DataSource,
  { walletId, chainId, from, limit }: { walletId: string; chainId: number; from: number; limit: number },
): Promise<SignedNonce[]> {
  const nonce = `(transaction.metadata->>'nonce')::bigint`
  return signatures(db, { nonce })
    .where({ walletId, chainId })
    .andWhere(`${nonce} >= :from AND ${nonce} < :end`, { from, end: from + limit })
    .getRawMany<SignedNonce>()
}
