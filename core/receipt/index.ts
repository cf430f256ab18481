export { subjectOf, type AnyReceipt, type ReceiptKind } from './AnyReceipt.js'
export type { AttestationReceiptV1 } from './AttestationReceiptV1.js'
export { birthHash } from './birthHash.js'
export type { BirthAuthorisation, BirthReceiptV1 } from './BirthReceiptV1.js'
export { birthJsonSchema } from './schema/birthSchema.js'
export { buildBirth } from './build/buildBirth.js'
export { buildMessageReceipt } from './build/buildMessageReceipt.js'
export { buildReceipt, receiptBytes } from './build/buildReceipt.js'
export {
  checkCollateralAge,
  freshCollateralAge,
  mostCollateralAge,
  mostCollateralAgeToPublish,
} from './collateralAge.js'
export { messageJsonSchema } from './schema/messageSchema.js'
export type { MessageReceiptV1 } from './MessageReceiptV1.js'
export { parseAnyReceipt, parseBirth, parseMessageReceipt, parseReceipt } from './schema/parseReceipt.js'
export { addressOfPublicKey } from './addressOfPublicKey.js'
export { receiptJsonSchema } from './schema/receiptSchema.js'
export type { CoordinatorPart } from './ReceiptParts.js'
export { parseTrustAnchors, trustAnchorsBytes, trustAnchorsCid, type TrustAnchors } from './anchors/TrustAnchors.js'
export { vendorAnchors } from './anchors/vendorAnchors.js'
export { isVendorRoot } from './anchors/vendorRoots.js'
