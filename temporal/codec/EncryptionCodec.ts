import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import {
  defaultPayloadConverter,
  ValueError,
  type Payload,
  type PayloadCodec,
  type SerializationContext,
} from '@temporalio/common'
import proto from '@temporalio/proto' // CommonJS without named exports that Node can see
import { refusedPayload } from '@perigee/core/workflow'
import type { CodecKey } from './codecKeys.js'

const encoding = 'binary/encrypted'
const ivLength = 12
const tagLength = 16
const bytes = (text: string) => new TextEncoder().encode(text)
const text = (value: Uint8Array | null | undefined) => (value ? new TextDecoder().decode(value) : undefined)

/**
 * What becomes of a payload that is not encrypted, or was made for another workflow. `show`: it is decoded all the same,
 * for people who look at it (codec server). `throw`: for clients, who then have no answer. `mark`: for workers, where
 * an error would fail the workflow task over and over; the run gets the reason in the payload's place and refuses it.
 */
export type Foreign = 'show' | 'throw' | 'mark'

/**
 * AES-256-GCM over whole payloads, metadata included, bound to the workflow they belong to. The server keeps only
 * ciphertext and the names of key and workflow; both are authenticated, so a payload cannot be passed off as made under
 * another key, nor be moved to another workflow.
 */
export class EncryptionCodec implements PayloadCodec {
  readonly #keys: Map<string, CodecKey>
  readonly #current: CodecKey
  readonly #foreign: Foreign

  constructor(keys: readonly CodecKey[], foreign: Foreign) {
    const [current] = keys
    if (!current) throw new ValueError('the payload codec needs at least one key')
    this.#current = current
    this.#keys = new Map(keys.map((key) => [key.id, key]))
    this.#foreign = foreign
  }

  encode(payloads: Payload[], context?: Pick<SerializationContext, 'workflowId'>): Promise<Payload[]> {
    return Promise.resolve(payloads.map((payload) => this.#encrypt(payload, context?.workflowId ?? '')))
  }

  /** Without a context, which no worker's input comes without, a payload says itself which workflow it is for. */
  async decode(payloads: Payload[], context?: Pick<SerializationContext, 'workflowId'>): Promise<Payload[]> {
    return payloads.map((payload) => {
      if (text(payload.metadata?.['encoding']) !== encoding) {
        return this.#refuse(
          payload,
          'it is not encrypted; operators send it with `npm run ops`, see temporal/RUNBOOK.md',
        )
      }
      const decoded = this.#decrypt(payload)
      const isOurs = context?.workflowId === undefined || context.workflowId === workflowIdOf(payload)
      return isOurs ? decoded : this.#refuse(decoded, 'it was made for another workflow')
    })
  }

  #refuse(payload: Payload, reason: string): Payload {
    switch (this.#foreign) {
      case 'show':
        return payload
      case 'throw':
        throw new ValueError(`a payload was refused: ${reason}`)
      case 'mark':
        return defaultPayloadConverter.toPayload(refusedPayload(reason))
    }
  }

  #encrypt(payload: Payload, workflowId: string): Payload {
    const { id, key } = this.#current
    const iv = randomBytes(ivLength)
    const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: tagLength }).setAAD(bound(id, workflowId))
    const plain = proto.temporal.api.common.v1.Payload.encode(payload).finish()
    const data = Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
    const metadata = {
      encoding: bytes(encoding),
      'encryption-key-id': bytes(id),
      'encryption-workflow-id': bytes(workflowId),
    }
    return { metadata, data }
  }

  #decrypt(payload: Payload): Payload {
    const { metadata, data } = payload
    const id = text(metadata?.['encryption-key-id']) ?? ''
    const known = this.#keys.get(id)
    if (!known) throw new ValueError(`payload was encrypted under the key ${id}, which is not configured`)
    if (!data || data.length < ivLength + tagLength) throw new ValueError('encrypted payload is too short')
    const decipher = createDecipheriv('aes-256-gcm', known.key, data.subarray(0, ivLength), {
      authTagLength: tagLength,
    })
    decipher.setAAD(bound(id, workflowIdOf(payload))).setAuthTag(data.subarray(data.length - tagLength))
    const plain = Buffer.concat([decipher.update(data.subarray(ivLength, data.length - tagLength)), decipher.final()])
    return proto.temporal.api.common.v1.Payload.decode(plain)
  }
}

/** Which workflow an encrypted payload is for. Authenticated: a payload under another name does not decrypt. */
export const workflowIdOf = ({ metadata }: Payload): string => text(metadata?.['encryption-workflow-id']) ?? ''

/** A key's id has no line break, so no two pairs share an encoding. */
const bound = (keyId: string, workflowId: string): Uint8Array => bytes(`${keyId}\n${workflowId}`)
