import type { DataSource } from 'typeorm'
import type { ProofPayload } from '@perigee/core'
import type { Attestation, BirthAttestation, SignatureAttestation } from '../entities/Attestation.js'
import { PublicationEntity, type Publication } from '../entities/Publication.js'
import type { Transaction } from '../entities/Transaction.js'
import type { Wallet } from '../entities/Wallet.js'

interface Proof {
  publication: Publication
  wallet: Wallet
}

/** Everything about one proof. Of a message that includes neither content nor signature. */
export type ProofRecord = Proof &
  (
    | { kind: 'transaction'; attestation: SignatureAttestation; transaction: Transaction }
    | { kind: 'message'; attestation: SignatureAttestation; transaction: null }
    | { kind: 'birth'; attestation: BirthAttestation; transaction: null }
  )

type Joined = Publication & { wallet: Wallet; attestation: Attestation; transaction: Transaction | null }

function proofs(db: DataSource, slug: string) {
  return db
    .createQueryBuilder(PublicationEntity, 'publication')
    .innerJoinAndMapOne('publication.wallet', 'Wallet', 'wallet', 'wallet.id = publication.walletId')
    .innerJoinAndMapOne('publication.attestation', 'Attestation', 'attestation', 'attestation.slug = publication.slug')
    .where('publication.slug = :slug', { slug })
}

/** Everything about one proof; null for an unknown slug. */
export async function loadProofRecord(db: DataSource, slug: string): Promise<ProofRecord | null> {
  const joined = (await proofs(db, slug)
    .leftJoinAndMapOne('publication.transaction', 'Transaction', 'transaction', 'transaction.slug = publication.slug')
    .getOne()) as Joined | null
  if (!joined) return null
  const { wallet, attestation, transaction, ...publication } = joined
  const { kind } = publication
  return { kind, publication, wallet, attestation, transaction } as ProofRecord // the kind decides, and the tables check it
}

/** The birth of a wallet: its name, and the CID of its receipt once that is pinned. */
export function findBirth(db: DataSource, walletId: string): Promise<Pick<Publication, 'slug' | 'cid'> | null> {
  return db
    .getRepository(PublicationEntity)
    .findOne({ select: { slug: true, cid: true }, where: { walletId, kind: 'birth' } })
}

const shown = [
  ['attestation.slug', 'attestation.quoteVerified', 'wallet.id', 'wallet.address'],
  ['publication.slug', 'publication.kind', 'publication.txHash', 'publication.chainId', 'publication.createdAt'],
  ['publication.status', 'publication.cid', 'publication.receipt'],
  ['publication.onchainTxHash', 'publication.onchainBlockNumber'],
].flat()

/** A proof as its record tells it; `ipfsUrl` is null, and the API adds it. Null for an unknown slug. */
export async function getProof(db: DataSource, slug: string): Promise<ProofPayload | null> {
  const joined = (await proofs(db, slug).select(shown).getOne()) as Joined | null
  if (!joined) return null
  const { kind, txHash, chainId, wallet, status, receipt } = joined
  return {
    slug,
    kind,
    txHash,
    chainId,
    walletAddress: wallet.address,
    status,
    ipfsCid: joined.cid,
    ipfsUrl: null,
    onchainTxHash: joined.onchainTxHash,
    onchainBlockNumber: joined.onchainBlockNumber,
    kmsQuoteVerified: joined.attestation.quoteVerified,
    receipt: receipt === null ? null : (JSON.parse(receipt) as ProofPayload['receipt']),
    createdAt: joined.createdAt,
  } as ProofPayload
}
