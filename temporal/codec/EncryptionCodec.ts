import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { ValueError, type Payload, type PayloadCodec } from '@temporalio/common'
import proto from '@temporalio/proto' // CommonJS without named exports that Node can see
import type { CodecKey } from './codecKeys.js'

const encoding = 'binary/encrypted'
const ivLength = 12
const tagLength = 16
const bytes = (text: string) => new TextEncoder().encode(text)
const text = (value: Uint8Array | null | undefined) => (value ? new TextDecoder().decode(value) : undefined)

/**
 * AES-256-GCM over whole payloads, metadata included. The server keeps only ciphertext and the key's name; the name is
 * authenticated, so a payload cannot be passed off as made under another key.
 */
export class EncryptionCodec implements PayloadCodec {
  readonly #keys: Map<string, CodecKey>
  readonly #current: CodecKey

  constructor(keys: readonly CodecKey[]) {
    const [current] = keys
    if (!current) throw new ValueError('the payload codec needs at least one key')
    this.#current = current
    this.#keys = new Map(keys.map((key) => [key.id, key]))
  }

  encode(payloads: Payload[]): Promise<Payload[]> {
    return Promise.resolve(payloads.map((payload) => this.#encrypt(payload)))
  }

  /** What is not encrypted passes through: an operator's CLI sends plain JSON. */
  async decode(payloads: Payload[]): Promise<Payload[]> {
    return payloads.map((payload) =>
      text(payload.metadata?.['encoding']) === encoding ? this.#decrypt(payload) : payload,
    )
  }

  #encrypt(payload: Payload): Payload {
    const { id, key } = this.#current
    const iv = randomBytes(ivLength)
    const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: tagLength }).setAAD(bytes(id))
    const plain = proto.temporal.api.common.v1.Payload.encode(payload).finish()
    const data = Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
    return { metadata: { encoding: bytes(encoding), 'encryption-key-id': bytes(id) }, data }
  }

  #decrypt({ metadata, data }: Payload): Payload {
    const id = text(metadata?.['encryption-key-id']) ?? ''
    const known = this.#keys.get(id)
    if (!known) throw new ValueError(`payload was encrypted under the key ${id}, which is not configured`)
    if (!data || data.length < ivLength + tagLength) throw new ValueError('encrypted payload is too short')
    const decipher = createDecipheriv('aes-256-gcm', known.key, data.subarray(0, ivLength), {
      authTagLength: tagLength,
    })
    decipher.setAAD(bytes(id)).setAuthTag(data.subarray(data.length - tagLength))
    const plain = Buffer.concat([decipher.update(data.subarray(ivLength, data.length - tagLength)), decipher.final()])
    return proto.temporal.api.common.v1.Payload.decode(plain)
  }
}
