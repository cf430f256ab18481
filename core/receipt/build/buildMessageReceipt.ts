import type { Authorisation } from '../../authorisation/index.js'
import { addressOfPublicKey } from '../addressOfPublicKey.js'
import { buildParts, type PartsInput } from './buildParts.js'
import { buildSigningSigner, receiptBytes, type ReceiptInput } from './buildReceipt.js'
import type { MessageReceiptV1 } from '../MessageReceiptV1.js'
import { parseMessageReceipt } from '../schema/parseReceipt.js'

/** Everything in a message receipt that cannot be computed from the rest of it. */
export interface MessageReceiptInput extends PartsInput {
  message: Omit<MessageReceiptV1['message'], 'from'>
  signer: ReceiptInput['signer']
  authorisation: Authorisation
}

/** The receipt of one signed message. Deterministic: the same input gives the same bytes, and so the same CID. */
export function buildMessageReceipt(input: MessageReceiptInput): MessageReceiptV1 {
  const { message, signer, authorisation } = input
  const receipt: MessageReceiptV1 = {
    version: 'perigee-message/1',
    ...buildParts(input, signer),
    message: {
      scheme: message.scheme,
      from: addressOfPublicKey(signer.publicKey),
      requestHash: message.requestHash,
      commitment: message.commitment,
    },
    signer: buildSigningSigner(signer),
    authorisation,
  }
  return parseMessageReceipt(receiptBytes(receipt)) // never publish a receipt that our own verifier cannot read
}
