import { MoreThan, type DataSource } from 'typeorm'
import type { Hex, ProofStatus } from '@perigee/core'
import type { Attestation } from '../entities/Attestation.js'
import { BundleEntity, PinEntity, type Bundle } from '../entities/Bundle.js'
import type { Publication } from '../entities/Publication.js'
import { TransactionEntity, type Transaction } from '../entities/Transaction.js'
import { WalletEntity, type Wallet } from '../entities/Wallet.js'
import { inPages, pageSize } from './inPages.js'

/** A signature with its publication, if it has one. */
type Joined = Transaction & { wallet: Wallet; publication: Publication | null; attestation: Attestation | null }

function signatures(db: DataSource) {
  return db
    .createQueryBuilder(TransactionEntity, 'transaction')
    .innerJoin('transaction.wallet', 'wallet')
    .leftJoinAndMapOne('transaction.publication', 'Publication', 'publication', 'publication.slug = transaction.slug')
    .select(['transaction.id', 'transaction.slug', 'transaction.txHash', 'wallet.id', 'wallet.address'])
    .addSelect(['publication.slug', 'publication.status', 'publication.cid', 'publication.onchainTxHash'])
}

/** One proof as reconciliation needs it. */
export interface ReconciledProof {
  slug: string
  /** Null when a signature has no publication at all. */
  status: ProofStatus | null
  cid: string | null
  receipt: string | null
  wallet: Hex
  txHash: Hex
  signature: Hex
  onchainTxHash: Hex | null
  onchainBlockNumber: number | null
  onchainBlockHash: Hex | null
  publicationChainId: number | null
  ageSeconds: number
}

/** Every signature with its publication, page by page. */
export async function* walkProofs(db: DataSource): AsyncGenerator<ReconciledProof[]> {
  const read = (after: string) =>
    signatures(db)
      .leftJoinAndMapOne(
        'transaction.attestation',
        'Attestation',
        'attestation',
        'attestation.transactionId = transaction.id',
      )
      .addSelect(['transaction.signature', 'transaction.createdAt', 'attestation.transactionId', 'attestation.anchors'])
      .addSelect(['publication.receipt', 'publication.onchainBlockNumber', 'publication.onchainBlockHash'])
      .where('transaction.slug > :after', { after })
      .orderBy('transaction.slug')
      .limit(pageSize)
      .getMany() as Promise<Joined[]>
  for await (const page of inPages('', ({ slug }: Joined) => slug, read)) yield page.map(toReconciled)
}

function toReconciled({
  slug,
  txHash,
  signature,
  createdAt,
  wallet,
  publication,
  attestation,
}: Joined): ReconciledProof {
  return {
    slug,
    status: publication?.status ?? null,
    cid: publication?.cid ?? null,
    receipt: publication?.receipt ?? null,
    wallet: wallet.address,
    txHash,
    signature,
    onchainTxHash: publication?.onchainTxHash ?? null,
    onchainBlockNumber: publication?.onchainBlockNumber ?? null,
    onchainBlockHash: publication?.onchainBlockHash ?? null,
    publicationChainId: attestation?.anchors.publication.chainId ?? null,
    ageSeconds: (Date.now() - Date.parse(createdAt)) / 1000,
  }
}

export type KnownProof = Pick<ReconciledProof, 'slug' | 'wallet' | 'txHash' | 'cid' | 'status' | 'onchainTxHash'>

/** The proofs of these transactions. */
export async function findProofsOf(db: DataSource, txHashes: readonly Hex[]): Promise<KnownProof[]> {
  const found = (await signatures(db).where('transaction.txHash = ANY(:txHashes)', { txHashes }).getMany()) as Joined[]
  return found.map(({ slug, txHash, wallet, publication }) => ({
    slug,
    wallet: wallet.address,
    txHash,
    cid: publication?.cid ?? null,
    status: publication?.status ?? null,
    onchainTxHash: publication?.onchainTxHash ?? null,
  }))
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

export interface SignedNonce {
  nonce: number
  txHash: Hex
  slug: string
  status: ProofStatus | null
}

/** Signatures of one wallet for one chain, from a nonce on, in the order of nonces. */
export async function findSignedNonces(
  db: DataSource,
  { walletId, chainId, from, limit }: { walletId: string; chainId: number; from: number; limit: number },
): Promise<SignedNonce[]> {
  const nonce = `(transaction.metadata->>'nonce')::bigint`
  const found = (await signatures(db)
    .addSelect('transaction.metadata')
    .where({ walletId, chainId })
    .andWhere(`${nonce} >= :from AND ${nonce} < :end`, { from, end: from + limit })
    .getMany()) as Joined[]
  return found
    .map(({ metadata, txHash, slug, publication }) => ({
      nonce: metadata.nonce,
      txHash,
      slug,
      status: publication?.status ?? null,
    }))
    .sort((a, b) => a.nonce - b.nonce)
}
