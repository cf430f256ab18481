import type { DataSource } from 'typeorm'
import type { Hex } from '@perigee/core'
import { BundleEntity, PinEntity, type Bundle } from '../entities/Bundle.js'
import { PublicationEntity, type Publication } from '../entities/Publication.js'
import { WalletEntity, type Wallet } from '../entities/Wallet.js'
import { selectAs, selectProofs } from '../selectAs.js'
import { inPages, pageSize } from './inPages.js'

/** A proof, of a transaction, a message or a birth. */
export interface KnownProof extends Pick<Publication, (typeof knownColumns)[number]> {
  wallet: Hex
}
const knownColumns = ['slug', 'kind', 'status', 'cid', 'txHash', 'onchainTxHash'] as const

/** One proof as reconciliation needs it. */
export interface ReconciledProof
  extends KnownProof, Pick<Publication, 'receipt' | 'onchainBlockNumber' | 'onchainBlockHash'> {
  /** Of a transaction; null otherwise. */
  signature: Hex | null
  /** Of a message; null otherwise. */
  requestHash: Hex | null
  publicationChainId: number | null
  publicationContract: Hex | null
}

function proofs(db: DataSource, columns: (keyof Publication)[] = [], expressions: Record<string, string> = {}) {
  return selectProofs(db, [...knownColumns, ...columns], expressions).leftJoin(
    'Transaction',
    'transaction',
    'transaction.slug = publication.slug',
  )
}

/** Every proof, page by page. */
export function walkProofs(db: DataSource): AsyncGenerator<ReconciledProof[]> {
  const expressions = {
    signature: 'transaction.signature',
    requestHash: 'message.requestHash',
    publicationChainId: `(attestation.anchors->'publication'->>'chainId')::bigint`,
    publicationContract: `attestation.anchors->'publication'->>'contract'`,
  }
  const read = (after: string) =>
    proofs(db, ['receipt', 'onchainBlockNumber', 'onchainBlockHash'], expressions)
      .leftJoin('Attestation', 'attestation', 'attestation.slug = publication.slug')
      .leftJoin('Message', 'message', 'message.slug = publication.slug')
      .where('publication.slug > :after', { after })
      .orderBy('publication.slug')
      .limit(pageSize)
      .getRawMany<ReconciledProof>()
  return inPages('', ({ slug }) => slug, read)
}

/** The proofs with these hashes in their events. */
export function findProofsOf(db: DataSource, txHashes: readonly Hex[]): Promise<KnownProof[]> {
  return proofs(db).where('publication.txHash = ANY(:txHashes)', { txHashes }).getRawMany<KnownProof>()
}

/** Bundles that receipts name, once they have been pinned, page by page. */
export function walkBundles(db: DataSource): AsyncGenerator<Pick<Bundle, 'cid' | 'bytes'>[]> {
  const read = (after: string) =>
    db
      .createQueryBuilder(BundleEntity, 'bundle')
      .where('bundle.cid > :after', { after })
      .andWhereExists(db.createQueryBuilder(PinEntity, 'pin').where('pin.cid = bundle.cid'))
      .orderBy('bundle.cid')
      .limit(pageSize)
      .getMany()
  return inPages('', ({ cid }) => cid, read)
}

/** Every wallet, page by page. `hasBirth` is false when the record of how its key was made is gone. */
export function walkWallets(db: DataSource) {
  const columns = { id: 'wallet.id', address: 'wallet.address', hasBirth: 'birth.slug IS NOT NULL' }
  const read = (after: string) =>
    selectAs(db.createQueryBuilder(WalletEntity, 'wallet'), columns)
      .leftJoin('Publication', 'birth', `birth.walletId = wallet.id AND birth.kind = 'birth'`)
      .where('wallet.id > :after', { after })
      .orderBy('wallet.id')
      .limit(pageSize)
      .getRawMany<Pick<Wallet, 'id' | 'address'> & { hasBirth: boolean }>()
  return inPages('00000000-0000-0000-0000-000000000000', ({ id }) => id, read)
}

/** Chains that wallets have signed for. */
export async function findSignedChains(db: DataSource): Promise<number[]> {
  const rows = await db
    .createQueryBuilder(PublicationEntity, 'publication')
    .select('publication.chainId', 'chainId')
    .where({ kind: 'transaction' })
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
  return proofs(db, [], { nonce })
    .where('transaction.walletId = :walletId AND publication.chainId = :chainId', { walletId, chainId })
    .andWhere(`${nonce} >= :from AND ${nonce} < :end`, { from, end: from + limit })
    .getRawMany<SignedNonce>()
}
