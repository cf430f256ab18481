import { originOf } from '../../authorisation/index.js'
import { ServiceError } from '../../errors/index.js'
import {
  checkSignInAccount,
  checkSignInSite,
  messageCommitment,
  parseOpening,
  requestHash,
  type Opening,
  type ParsedMessage,
} from '../../message/index.js'
import { checkMessagePolicy } from '../../policy/index.js'
import { verifySignerOf } from '../../transaction/index.js'
import type { MessageReceiptV1 } from '../AnyReceipt.js'

/** What an opening showed. */
export interface OpenedMessage {
  opening: Opening
  parsed: ParsedMessage
}

/**
 * Takes the opening of a message receipt, as text or parsed from JSON. Throws unless the receipt commits to this content and this
 * signature, the signature is the wallet's, and the enclave was allowed to sign it. Says nothing about the receipt itself.
 */
export async function verifyOpening(receipt: MessageReceiptV1, given: unknown): Promise<OpenedMessage> {
  const { message, signer, authorisation } = receipt
  const { opening, parsed } = parseOpening(given)
  const { scheme } = opening.message
  const hidden = { scheme, digest: parsed.digest, salt: opening.salt }
  if (scheme !== message.scheme || requestHash(hidden) !== message.requestHash) {
    throw new ServiceError('opening_mismatch', 'the receipt is about another message, or has another salt')
  }
  if (messageCommitment(hidden, opening.signature) !== message.commitment) {
    throw new ServiceError('opening_mismatch', 'the receipt commits to another signature')
  }
  await verifySignerOf(parsed.digest, opening.signature, message.from)
  checkMessagePolicy(parsed, signer.policy)
  const { passkey } = authorisation
  if (parsed.signIn) checkSignInAccount(parsed.signIn, message.from)
  if (parsed.signIn && passkey) checkSignInSite(parsed.signIn, [originOf(passkey)])
  return { opening, parsed }
}
