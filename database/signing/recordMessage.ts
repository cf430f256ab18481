import type { DataSource } from 'typeorm'
import type { Hex } from '@perigee/core'
import { MessageEntity, type Message } from '../entities/Message.js'
import { toRowJson } from '../toRowJson.js'
import { recordProven, signingSql, type ProvenRecord, type SignedRow, type Signer } from './recordSignature.js'
import { openSignature, sealSignature, type SealedFor } from './sealSignature.js'

/** The signature of one message. `proof.txHash` is the commitment, `proof.chainId` is 0. */
export interface MessageRecord extends ProvenRecord {
  message: Pick<Message, 'requestHash' | 'scheme'>
  /** Null when the record is recovered from its receipt, which shows neither. */
  secret: { signature: Hex; salt: Hex } | null
}

const sql = signingSql('messages', 'request_hash', 'sealed_signature')

/**
 * The wallet, and whether it has signed this message; null when there is no such wallet. `signature` is null where only the
 * receipt is known: signing again gives the same one.
 */
export async function findMessageSigner(db: DataSource, message: SealedFor): Promise<Signer<Hex | null> | null> {
  const { walletId, requestHash } = message
  const [signer] = await db.query<Signer<Hex | null>[]>(sql.find, [walletId, requestHash])
  const sealed = signer?.signed?.signature
  if (!signer?.signed || !sealed) return signer ?? null
  return { ...signer, signed: { ...signer.signed, signature: openSignature(sealed, message) } }
}

/** The row (wallet, requestHash) that came first wins, and the second caller gets it too. */
export async function recordMessage(db: DataSource, record: MessageRecord): Promise<SignedRow<Hex | null>> {
  const { message, secret, proof } = record
  const { slug, walletId, txHash, chainId } = proof
  const { requestHash } = message
  const signature = secret?.signature ?? null
  const sealedSignature = secret && sealSignature(secret.signature, { walletId, requestHash, salt: secret.salt })
  const row = toRowJson(db, MessageEntity, { ...message, slug, walletId, sealedSignature })
  const isNew = await recordProven(db, { ...sql, row, kind: 'message', facts: message }, record)
  if (isNew) return { signature, slug, txHash, chainId }
  const [first] = await db.query<Signer<Hex | null>[]>(sql.find, [walletId, requestHash])
  if (!first?.signed) throw new Error('a message clashed with a record that is not there')
  return { ...first.signed, signature } // the same message has one signature (RFC 6979)
}
