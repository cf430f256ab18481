export type {
  AnyReceipt,
  AttestationReceiptV1,
  BirthAuthorisation,
  BirthReceiptV1,
  CoordinatorPart,
  MessageReceiptV1,
  ReceiptKind,
} from './AnyReceipt.js'
export { addressOfPublicKey } from './addressOfPublicKey.js'
export { parseTrustAnchors, trustAnchorsBytes, trustAnchorsCid, type TrustAnchors } from './anchors/TrustAnchors.js'
export { vendorAnchors } from './anchors/vendorAnchors.js'
export { isVendorRoot } from './anchors/vendorRoots.js'
export { buildBirth, buildMessageReceipt, buildReceipt, receiptBytes } from './buildReceipt.js'
export { freshCollateralAge, mostCollateralAge, mostCollateralAgeToPublish } from './collateralAge.js'
export { parseAnyReceipt, parseBirth } from './schema/parseReceipt.js'
export { receiptSchemas } from './schema/receiptSchemas.js'
export { birthHash, subjectOf } from './subjectOf.js'
