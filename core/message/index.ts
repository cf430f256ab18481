export { checkSignInAccount, checkSignInSite } from './checkSignIn.js'
export { checksumAddress } from './checksum.js'
export { messageCommitment, requestHash, type HiddenMessage, type Opening } from './commitment.js'
export {
  maxMessageBytes,
  messageKinds,
  messageSchemes,
  parseMessage,
  type Message,
  type MessageScheme,
  type ParsedMessage,
} from './parseMessage.js'
export { parseOpening } from './parseOpening.js'
export { parseSignIn, type SignIn } from './parseSignIn.js'
export type { TypedData, TypedDomain, TypedMember } from './typedData/TypedData.js'
export { visibleText } from './visibleText.js'
