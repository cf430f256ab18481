import { sha256 } from '@noble/hashes/sha2'
import { encodeBinding, text } from '../binding/index.js'
import { fromHex, toHex, type Hex } from '../bytes/index.js'

/**
 * Names a person in statements, receipts and sealed keys without telling who it is: a commitment to issuer and subject,
 * with a random pepper (32 bytes) of their own, so that nobody can try known people one after the other.
 */
export function subjectCommitment(issuer: string, subject: string, pepper: Hex): Hex {
  return toHex(sha256(encodeBinding('perigee.subject.v1', [text(issuer), text(subject), fromHex(pepper, 32)])))
}
