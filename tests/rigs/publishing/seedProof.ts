import { randomBytes, randomUUID } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1'
import type { DataSource } from 'typeorm'
import {
  canonicalJson,
  cidOf,
  concatBytes,
  toHex,
  transactionDigest,
  transactionHash,
  type Hex,
  type TxMetadata,
} from '@perigee/core'
import { entropyWitnessHash } from '@perigee/core/entropy'
import { zero32 } from '@perigee/core/authorisation'
import { keyIdOf } from '@perigee/core/enclave'
import { messageCommitment, requestHash } from '@perigee/core/message'
import { addressOfPublicKey, birthHash } from '@perigee/core/receipt'
import type { PublishReceiptInput } from '@perigee/core/workflow'
import { mintCollateral, mintTdxPki } from '../../../core/simulation/testing/index.js'
import { sampleReceiptInput } from '../../../core/receipt/testing/sampleReceiptInput.js'
import { assembleReceipt } from '../../../activities/publishing/assembleReceipt.js'
import {
  findBirth,
  loadProofRecord,
  markAbandoned,
  markFailed,
  markPinned,
  recordMessage,
  recordSignature,
  recordWallet,
} from '../../../database/index.js'

/** A person who has signed in once. */
export const insertUser = (database: DataSource, id: string, pepper: Hex) =>
  database.query(
    `INSERT INTO users (id, issuer, subject, email, pepper, created_at, last_login_at)
     VALUES ($1, 'test', $2, '', $3, now(), now())`,
    [id, id, pepper],
  )

export interface SeededProof extends PublishReceiptInput {
  walletId: string
  birthSlug: string
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
  given: {
    privateKey?: Uint8Array
    transaction?: Partial<TxMetadata>
    birth?: 'unpublished'
    /** The signature is that of a message. `digest` is then its request's, and the transaction is nobody's. */
    message?: boolean
    /** How many days ago the collateral was issued: 0 unless given. */
    collateralDays?: number
  } = {},
): Promise<SeededProof> {
  const sample = sampleReceiptInput()
  const transaction = { ...sample.transaction, ...given.transaction }
  const privateKey = given.privateKey ?? secp256k1.utils.randomPrivateKey()
  const publicKey = toHex(secp256k1.getPublicKey(privateKey, true))
  const address = addressOfPublicKey(publicKey)
  const digest = transactionDigest(transaction)
  const signed = secp256k1.sign(digest.slice(2), privateKey, { lowS: true })
  const signature = toHex(concatBytes(signed.toCompactRawBytes(), Uint8Array.of(27 + signed.recovery)))
  const [userId, walletId] = [randomUUID(), randomUUID()]
  const collateral = await collateralBundle(given.collateralDays ?? 0)
  const anchors = bundle('trust-anchors', new TextEncoder().encode('{}'))
  const now = new Date().toISOString()
  await insertUser(database, userId, toHex(randomBytes(32)))
  const { signer, authorisation } = sample
  const evidence = () => {
    const entropy = { ...sample.entropy, value: toHex(randomBytes(32)) }
    return {
      platform: 'simulated',
      simulated: true,
      quote: signer.quote,
      runtimeEvents: signer.runtimeEvents,
      nonce: signer.nonce,
      madeAt: signer.signedAt,
      collateralCid: collateral.cid,
      trustAnchorsCid: anchors.cid,
      rootFingerprint: signer.rootFingerprint,
      verifiedAt: signer.verifiedAt,
      tcbStatus: 'UpToDate',
      advisoryIds: [],
      quoteVerified: true,
      coordinator: { ...sample.coordinator, kind: 'sev-snp' as const, reportHash: zero32 },
      entropy,
      entropyHash: entropyWitnessHash(entropy),
      issuedAt: now,
      anchors: { spec: sample.spec, instructions: sample.instructions, publication },
    }
  }
  const { statement } = authorisation
  const birthSlug = randomBytes(18).toString('base64url')
  const bundles = [collateral, anchors]
  await recordWallet(database, {
    wallet: {
      id: walletId,
      userId,
      address,
      publicKey,
      keyId: keyIdOf(publicKey),
      sealedKey: '0x00',
      subject: statement.subject,
      owners: null,
      since: null,
      credentials: [],
      createdAt: now,
    },
    proof: { slug: birthSlug, txHash: birthHash(address), chainId: publication.chainId },
    attestation: {
      ...evidence(),
      policy: null,
      sealedKeyHash: zero32,
      authorisation: { statement: { ...statement, kind: 'create-key' }, owners: null, approval: null },
    },
    bundles,
  })
  if (given.birth !== 'unpublished') await pinSeededBirth(database, birthSlug)
  const slug = randomBytes(18).toString('base64url')
  const named = { wallet: address, walletId, slug, birthSlug, transaction, signature }
  const signing = { ...evidence(), policy: signer.policy, sealedKeyHash: null }
  if (given.message) {
    const hidden = { scheme: 'eip191' as const, digest, salt: toHex(randomBytes(32)) }
    const [asked, txHash] = [requestHash(hidden), messageCommitment(hidden, signature)]
    const stated = { ...statement, kind: 'sign-message' as const, digest: asked, address, chainId: 0 }
    await recordMessage(database, {
      proof: { slug, walletId, txHash, chainId: 0, createdAt: now },
      message: { requestHash: asked, scheme: 'eip191' },
      secret: { signature, salt: hidden.salt },
      attestation: { ...signing, authorisation: { ...authorisation, statement: stated } },
      bundles,
    })
    return { ...named, kind: 'message', txHash, chainId: 0, digest: asked }
  }
  const txHash = transactionHash(transaction, signature)
  const { chainId } = transaction
  await recordSignature(database, {
    proof: { slug, walletId, txHash, chainId, createdAt: now },
    transaction: { digest, metadata: transaction, signature },
    attestation: { ...signing, authorisation },
    bundles,
  })
  return { ...named, kind: 'transaction', txHash, chainId, digest }
}

/** Marks the receipt that the record gives now as pinned. */
export async function pinSeeded(database: DataSource, slug: string): Promise<void> {
  const record = await loadProofRecord(database, slug)
  if (!record) throw new Error('there is no such proof')
  const birth = await findBirth(database, record.wallet.id)
  const receipt = assembleReceipt(record, birth?.cid ?? null)
  await markPinned(database, slug, { cid: cidOf(new TextEncoder().encode(receipt)), receipt, nodes: [] })
}

/**
 * The birth counts as pinned and is otherwise out of the way: given up, so that nothing publishes it beside the proof that
 * a test is about.
 */
async function pinSeededBirth(database: DataSource, slug: string): Promise<void> {
  await pinSeeded(database, slug)
  await markFailed(database, { slug, status: 'onchain_failed', code: 'publish_abandoned', message: 'seeded' })
  await markAbandoned(database, slug)
}

function bundle(kind: 'collateral' | 'trust-anchors', bytes: Uint8Array) {
  return { cid: cidOf(bytes), kind, bytes }
}

const day = 86_400
let pki: ReturnType<typeof mintTdxPki> | undefined
function mintPki(): ReturnType<typeof mintTdxPki> {
  const [root, pckCa, pck, tcbSigner, attestation] = [1, 2, 3, 4, 5].map((n): Hex => `0x${`0${n}`.repeat(32)}`)
  const keys = { root, pckCa, pck, tcbSigner, attestation } as Parameters<typeof mintTdxPki>[0]
  return mintTdxPki(keys, { notBefore: 1_700_000_000, notAfter: 2_100_000_000 })
}
const minted = new Map<number, Promise<ReturnType<typeof bundle>>>()

/** Collateral in its true form: publishing reads when it was issued. */
export function collateralBundle(daysAgo: number): Promise<ReturnType<typeof bundle>> {
  const known = minted.get(daysAgo) ?? mint(daysAgo)
  minted.set(daysAgo, known)
  return known
}

async function mint(daysAgo: number): Promise<ReturnType<typeof bundle>> {
  const { authority } = await (pki ??= mintPki())
  const issuedAt = Math.floor(Date.now() / 1000) - 3600 - daysAgo * day
  const collateral = await mintCollateral({ issuedAt, nextUpdate: issuedAt + 30 * day }, authority)
  return bundle('collateral', new TextEncoder().encode(canonicalJson(collateral)))
}

/** For pinning proofs whose collateral is fresh: their quote is not verified again. */
export const noEvidence = {
  verifyQuoteAgain: () => Promise.reject(new Error('a fresh receipt is not verified again')),
}
