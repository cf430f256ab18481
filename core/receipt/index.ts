export { subjectOf, type AnyReceipt, type ReceiptKind } from './AnyReceipt.js'
export type { AttestationReceiptV1 } from './AttestationReceiptV1.js'
export { birthHash } from './birthHash.js'
export type { BirthAuthorisation, BirthReceiptV1 } from './BirthReceiptV1.js'
export { birthJsonSchema } from './birthSchema.js'
export { buildBirth } from './buildBirth.js'
export { buildMessageReceipt } from './buildMessageReceipt.js'
export { buildReceipt, receiptBytes } from './buildReceipt.js'
export {
  checkCollateralAge,
  freshCollateralAge,
  mostCollateralAge,
  mostCollateralAgeToPublish,
} from './collateralAge.js'
export { messageJsonSchema } from './messageSchema.js'
export type { MessageReceiptV1 } from './MessageReceiptV1.js'
export { parseAnyReceipt, parseBirth, parseMessageReceipt, parseReceipt } from './parseReceipt.js'
export { addressOfPublicKey } from './addressOfPublicKey.js'
export { receiptJsonSchema } from './receiptSchema.js'
export type { CoordinatorPart } from './ReceiptParts.js'
export { parseTrustAnchors, trustAnchorsBytes, trustAnchorsCid, type TrustAnchors } from './TrustAnchors.js'
export { vendorAnchors } from './vendorAnchors.js'
export { isVendorRoot } from './vendorRoots.js'
