import type { DataSource } from 'typeorm'
import type { ProofPayload } from '@perigee/core'
import type { AttestationReceiptV1 } from '@perigee/core/receipt'
import { AttestationEntity, type Attestation } from '../entities/Attestation.js'
import type { Publication } from '../entities/Publication.js'
import type { Transaction } from '../entities/Transaction.js'
import type { Wallet } from '../entities/Wallet.js'

export interface ProofRecord {
  publication: Publication
  transaction: Transaction
  attestation: Attestation
  wallet: Wallet
}

type Joined = Attestation & { transaction: Transaction & { wallet: Wallet }; publication: Publication }

function proofs(db: DataSource, slug: string) {
  return db
    .createQueryBuilder(AttestationEntity, 'attestation')
    .innerJoinAndSelect('attestation.transaction', 'transaction')
    .innerJoinAndSelect('transaction.wallet', 'wallet')
    .innerJoinAndMapOne('attestation.publication', 'Publication', 'publication', 'publication.slug = transaction.slug')
    .where('transaction.slug = :slug', { slug })
}

/** Everything about one proof; null for an unknown slug. */
export async function loadProofRecord(db: DataSource, slug: string): Promise<ProofRecord | null> {
  const joined = (await proofs(db, slug).getOne()) as Joined | null
  if (!joined) return null
  const { transaction: signed, publication, ...attestation } = joined
  const { wallet, ...transaction } = signed
  return { publication, transaction, attestation, wallet }
}

const shown = [
  ['attestation.transactionId', 'attestation.quoteVerified', 'wallet.id', 'wallet.address'],
  ['transaction.id', 'transaction.slug', 'transaction.txHash', 'transaction.chainId', 'transaction.createdAt'],
  ['publication.slug', 'publication.status', 'publication.cid', 'publication.receipt'],
  ['publication.onchainTxHash', 'publication.onchainBlockNumber'],
].flat()

/** A proof as its record tells it; the API adds `ipfsUrl` from its gateway. Null for an unknown slug. */
export async function getProof(db: DataSource, slug: string): Promise<Omit<ProofPayload, 'ipfsUrl'> | null> {
  const joined = (await proofs(db, slug).select(shown).getOne()) as Joined | null
  if (!joined) return null
  const { transaction, publication, quoteVerified } = joined
  return {
    slug,
    txHash: transaction.txHash,
    chainId: transaction.chainId,
    walletAddress: transaction.wallet.address,
    status: publication.status,
    ipfsCid: publication.cid,
    onchainTxHash: publication.onchainTxHash,
    onchainBlockNumber: publication.onchainBlockNumber,
    kmsQuoteVerified: quoteVerified,
    receipt: publication.receipt === null ? null : (JSON.parse(publication.receipt) as AttestationReceiptV1),
    createdAt: transaction.createdAt,
  }
}
