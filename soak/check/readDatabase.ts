import type { DataSource } from 'typeorm'
import { cidOf, type Hex } from '@perigee/core'
import { assembleReceipt } from '../../activities/publishing/assembleReceipt.js'
import {
  AttestationEntity,
  BundleEntity,
  PublicationEntity,
  PublisherSlotEntity,
  TransactionEntity,
  WalletEntity,
  verifyAuditLog,
} from '../../database/index.js'
import type { Evidence, SignatureRecord } from './Evidence.js'

type FromDatabase = Pick<Evidence, 'records' | 'wallets' | 'samples' | 'bundles' | 'auditFaults'> & {
  slots: { sender: Hex; nonce: number; state: string }[]
}

/** Whole tables, joined here, so that a missing half is noticed. */
export async function readDatabase(database: DataSource): Promise<FromDatabase> {
  const all = <T extends object>(entity: Parameters<typeof database.getRepository<T>>[0]) =>
    database.getRepository(entity).find()
  const [wallets, transactions, attestations, publications] = await Promise.all([
    all(WalletEntity),
    all(TransactionEntity),
    all(AttestationEntity),
    all(PublicationEntity),
  ])
  const walletById = new Map(wallets.map((wallet) => [wallet.id, wallet]))
  const attestationOf = new Map(attestations.map((attestation) => [attestation.transactionId, attestation]))
  const publicationOf = new Map(publications.map((publication) => [publication.slug, publication]))
  const records = transactions.map((transaction): SignatureRecord => {
    const attestation = attestationOf.get(transaction.id)
    const publication = publicationOf.get(transaction.slug)
    const wallet = walletById.get(transaction.walletId)
    const recomputed =
      attestation && publication && wallet && assembleReceipt({ transaction, attestation, publication, wallet })
    return {
      slug: transaction.slug,
      wallet: wallet?.address ?? '0x',
      digest: transaction.digest,
      txHash: transaction.txHash,
      signature: transaction.signature,
      quoteVerified: attestation?.quoteVerified ?? null,
      entropyHash: attestation?.entropyHash ?? null,
      entropyValue: attestation?.entropy.value ?? null,
      collateralCid: attestation?.collateralCid ?? null,
      status: publication?.status ?? null,
      cid: publication?.cid ?? null,
      receipt: publication?.receipt ?? null,
      recomputedCid: recomputed ? cidOf(new TextEncoder().encode(recomputed)) : null,
      onchainTxHash: publication?.onchainTxHash ?? null,
      onchainBlockHash: publication?.onchainBlockHash ?? null,
    }
  })
  const samples = await database.query<Evidence['samples']>(
    `SELECT witness_hash AS "witnessHash", value, purpose FROM entropy_samples WHERE purpose IS NOT NULL`,
  )
  const bundles = (await all(BundleEntity)).map(({ cid, bytes }) => [cid, Buffer.from(bytes).toString('base64')])
  return {
    records,
    samples,
    wallets: wallets.map(({ address, quoteVerified, entropyHash, entropy }) => {
      return { address, quoteVerified, entropyHash, entropyValue: entropy.value }
    }),
    bundles: Object.fromEntries(bundles) as Record<string, string>,
    slots: (await all(PublisherSlotEntity)).map(({ sender, nonce, state }) => ({ sender, nonce, state })),
    auditFaults: (await verifyAuditLog(database)).faults,
  }
}
