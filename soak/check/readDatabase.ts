import type { DataSource } from 'typeorm'
import { cidOf, type Hex } from '@perigee/core'
import { assembleReceipt } from '../../activities/publishing/assembleReceipt.js'
import {
  AttestationEntity,
  BundleEntity,
  MessageEntity,
  PublicationEntity,
  PublisherSlotEntity,
  TransactionEntity,
  WalletEntity,
  WebhookDeliveryEntity,
} from '../../database/index.js'

export type FromDatabase = Awaited<ReturnType<typeof readDatabase>>

/** Whole tables, joined here, so that a missing half is noticed. */
export async function readDatabase(database: DataSource) {
  const all = <T extends object>(entity: Parameters<typeof database.getRepository<T>>[0]) =>
    database.getRepository(entity).find()
  const [wallets, transactions, messages, attestations, publications] = await Promise.all([
    all(WalletEntity),
    all(TransactionEntity),
    all(MessageEntity),
    all(AttestationEntity),
    all(PublicationEntity),
  ])
  const walletById = new Map(wallets.map((wallet) => [wallet.id, wallet]))
  const attestationOf = new Map(attestations.map((attestation) => [attestation.slug, attestation]))
  const transactionOf = new Map(transactions.map((transaction) => [transaction.slug, transaction]))
  const messageOf = new Map(messages.map((message) => [message.slug, message]))
  const births = publications.filter(({ kind }) => kind === 'birth')
  const birthCidOf = new Map(births.map(({ walletId, cid }) => [walletId, cid]))
  const records = publications.map((publication) => {
    const { slug, kind, txHash, walletId } = publication
    const attestation = attestationOf.get(slug)
    const transaction = transactionOf.get(slug) ?? null
    const wallet = walletById.get(walletId)
    const record = { kind, transaction, attestation, publication, wallet } as Parameters<typeof assembleReceipt>[0]
    const recomputed = attestation && wallet && assembleReceipt(record, birthCidOf.get(walletId) ?? null)
    return {
      slug,
      kind,
      wallet: wallet?.address ?? ('0x' as Hex),
      /** UTC. */
      day: publication.createdAt.slice(0, 10),
      /** Null for a birth; of a message, its request hash. */
      digest: transaction?.digest ?? messageOf.get(slug)?.requestHash ?? null,
      txHash,
      /** Null for a birth, and for a message, which stays with its owner. */
      signature: transaction?.signature ?? null,
      /** Null: there is no evidence. */
      quoteVerified: attestation?.quoteVerified ?? null,
      entropyHash: attestation?.entropyHash ?? null,
      entropyValue: attestation?.entropy.value ?? null,
      collateralCid: attestation?.collateralCid ?? null,
      status: publication.status,
      cid: publication.cid,
      receipt: publication.receipt,
      /** CID of the receipt assembled again from the columns. */
      recomputedCid: recomputed ? cidOf(new TextEncoder().encode(recomputed)) : null,
      onchainTxHash: publication.onchainTxHash,
      onchainBlockHash: publication.onchainBlockHash,
    }
  })
  /** Samples that were used, and for what. */
  const samples = await database.query<{ witnessHash: Hex; value: string; purpose: string }[]>(
    `SELECT witness_hash AS "witnessHash", value, purpose FROM entropy_samples WHERE purpose IS NOT NULL`,
  )
  const deliveries = await all(WebhookDeliveryEntity)
  const undelivered = deliveries
    .filter(({ state }) => state !== 'delivered')
    .map(({ eventId, type, state }) => `${type} ${eventId} is ${state}`)
  const auditFaults = await database.query<{ sequence: number; fault: string }[]>(
    `SELECT 0 AS sequence, 'signature ' || slug || ' has no event' AS fault FROM publications p
      WHERE kind <> 'birth' AND NOT EXISTS (
        SELECT FROM audit_events WHERE kind = 'signature_recorded' AND facts->>'slug' = p.slug)`,
  )
  const bundles = (await all(BundleEntity)).map(({ cid, bytes }) => [cid, Buffer.from(bytes).toString('base64')])
  return {
    records,
    samples,
    /** Events of the outbox that are not delivered. */
    undelivered,
    wallets: wallets.map(({ address }) => address),
    /** By CID, base64. */
    bundles: Object.fromEntries(bundles) as Record<string, string>,
    slots: (await all(PublisherSlotEntity)).map(({ sender, nonce, state }) => ({ sender, nonce, state })),
    auditFaults,
  }
}
