import { ServiceError } from '@perigee/core'
import { messageCommitment, parseMessage, requestHash, type HiddenMessage } from '@perigee/core/message'
import type { SignMessageInput } from '@perigee/core/workflow'
import type { MessageRecord } from '../../database/index.js'
import type { RecordFacts } from '../evidence/attestationOf.js'
import { provenRecord, type ToRecord } from './signatureRecord.js'

/** The message as its receipt hides it. Throws `digest_mismatch` unless the request names exactly this one. */
export function hiddenOf(input: Pick<SignMessageInput, 'message' | 'salt' | 'requestHash'>): HiddenMessage {
  const { message, salt } = input
  const hidden = { scheme: message.scheme, digest: parseMessage(message).digest, salt }
  if (requestHash(hidden) === input.requestHash) return hidden
  throw new ServiceError('digest_mismatch', 'the request names another message')
}

/** The records of one signed message: everything its receipt will say, and the signature for the caller alone. */
export function messageRecord(input: ToRecord & { kind: 'message' }, facts: RecordFacts): MessageRecord {
  const { salt, signed } = input
  const { signature } = signed.answer
  const hidden = hiddenOf(input)
  return {
    ...provenRecord(input, { txHash: messageCommitment(hidden, signature), chainId: 0 }, facts),
    message: { requestHash: input.requestHash, scheme: hidden.scheme },
    secret: { signature, salt },
  }
}
