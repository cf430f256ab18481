import { sha256 } from '@noble/hashes/sha2'
import { encodeBinding, text } from '../binding/index.js'
import { fromHex, toHex, type Hex } from '../bytes/index.js'
import type { Message, MessageScheme } from './parseMessage.js'

/** A message as its receipt hides it. 32 random bytes of salt keep anyone from trying likely messages. */
export interface HiddenMessage {
  scheme: MessageScheme
  /** What the wallet's key signs. Never published: of a permit it could be guessed. */
  digest: Hex
  salt: Hex
}

/** What opens a receipt: anyone who has it sees, and can show, what was signed. */
export interface Opening {
  version: 'perigee-opening/1'
  message: Message
  signature: Hex
  salt: Hex
}

/** Stands in statements and passkey challenges where a transaction has its digest. */
export function requestHash({ scheme, digest, salt }: HiddenMessage): Hex {
  const fields = [text(scheme), fromHex(digest, 32), fromHex(salt, 32)]
  return toHex(sha256(encodeBinding('perigee.message-request.v1', fields)))
}

/** Commits to content and signature. Stands in the event where a transaction has its hash. */
export function messageCommitment({ scheme, digest, salt }: HiddenMessage, signature: Hex): Hex {
  const fields = [text(scheme), fromHex(digest, 32), fromHex(signature, 65), fromHex(salt, 32)]
  return toHex(sha256(encodeBinding('perigee.message.v1', fields)))
}
