import { randomBytes, randomUUID } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1'
import type { DataSource } from 'typeorm'
import { cidOf, concatBytes, toHex, transactionDigest, transactionHash, type Hex, type TxMetadata } from '@perigee/core'
import { entropyWitnessHash } from '@perigee/core/entropy'
import { addressOfPublicKey } from '@perigee/core/receipt'
import type { PublishReceiptInput } from '@perigee/core/workflow'
import { sampleReceiptInput } from '../../core/receipt/testing/sampleReceiptInput.js'
import { recordSignature, recordWallet, storeBundlesOnce } from '../../database/index.js'

export interface SeededProof extends PublishReceiptInput {
  walletId: string
  digest: Hex
  transaction: TxMetadata
  signature: Hex
}

/**
 * Records of one signature as signing leaves them, for tests of what comes after. Keys and signature are true; quote and
 * report have the right form only, because publishing does not look at them.
 */
export async function seedProof(
  database: DataSource,
  publication: { chainId: number; contract: Hex },
  given: { privateKey?: Uint8Array; transaction?: Partial<TxMetadata> } = {},
): Promise<SeededProof> {
  const sample = sampleReceiptInput()
  const transaction = { ...sample.transaction, ...given.transaction }
  const privateKey = given.privateKey ?? secp256k1.utils.randomPrivateKey()
  const publicKey = toHex(secp256k1.getPublicKey(privateKey, true))
  const address = addressOfPublicKey(publicKey)
  const digest = transactionDigest(transaction)
  const signed = secp256k1.sign(digest.slice(2), privateKey, { lowS: true })
  const signature = toHex(concatBytes(signed.toCompactRawBytes(), Uint8Array.of(27 + signed.recovery)))
  const entropy = { ...sample.entropy, value: toHex(randomBytes(32)) }
  const entropyHash = entropyWitnessHash(entropy)
  const [userId, walletId, transactionId] = [randomUUID(), randomUUID(), randomUUID()]
  const [collateral, anchors] = [bundle('collateral'), bundle('trust-anchors')]
  const now = new Date().toISOString()
  await database.query(
    `INSERT INTO users (id, issuer, subject, email, pepper, created_at, last_login_at)
     VALUES ($1, 'test', $2, '', $3, now(), now())`,
    [userId, userId, toHex(randomBytes(32))],
  )
  await storeBundlesOnce(database, [collateral, anchors])
  await recordWallet(database, {
    id: walletId,
    userId,
    address,
    publicKey,
    keyId: `key_${address.slice(2)}`,
    sealedKey: '0x00',
    subject: sample.authorisation.statement.subject,
    owners: null,
    since: null,
    credentials: [],
    entropy,
    entropyHash,
    quote: '0x00',
    nonce: '0x00',
    coordinatorReportHash: '0x00',
    collateralCid: collateral.cid,
    tcbStatus: 'UpToDate',
    quoteVerified: true,
    keyCreatedAt: 0,
    createdAt: now,
  })
  const txHash = transactionHash(transaction, signature)
  const slug = randomBytes(18).toString('base64url')
  const { chainId } = transaction
  const { signer } = sample
  await recordSignature(database, {
    transaction: {
      id: transactionId,
      walletId,
      digest,
      chainId,
      metadata: transaction,
      signature,
      txHash,
      slug,
      createdAt: now,
    },
    attestation: {
      transactionId,
      platform: 'simulated',
      simulated: true,
      quote: signer.quote,
      runtimeEvents: signer.runtimeEvents,
      nonce: signer.nonce,
      policy: signer.policy,
      signedAt: signer.signedAt,
      collateralCid: collateral.cid,
      trustAnchorsCid: anchors.cid,
      rootFingerprint: signer.rootFingerprint,
      verifiedAt: signer.verifiedAt,
      tcbStatus: 'UpToDate',
      advisoryIds: [],
      quoteVerified: true,
      coordinator: { ...sample.coordinator, kind: 'sev-snp', reportHash: `0x${'00'.repeat(32)}` },
      authorisation: sample.authorisation,
      entropy,
      entropyHash,
      issuedAt: now,
      anchors: { spec: sample.spec, instructions: sample.instructions, publication },
    },
    bundles: [collateral, anchors],
  })
  return { slug, txHash, wallet: address, chainId, walletId, digest, transaction, signature }
}

function bundle(kind: 'collateral' | 'trust-anchors') {
  const bytes = new TextEncoder().encode(JSON.stringify({ kind }))
  return { cid: cidOf(bytes), kind, bytes }
}
