export type { AttestationReceiptV1 } from './AttestationReceiptV1.js'
export {
  addressOfPublicKey,
  buildReceipt,
  isSimulated,
  receiptBytes,
  receiptCid,
  type ReceiptInput,
} from './buildReceipt.js'
export { maxReceiptBytes, parseReceipt } from './parseReceipt.js'
export { receiptJsonSchema, receiptSchema } from './receiptSchema.js'
export {
  fingerprintOf,
  parseTrustAnchors,
  trustAnchorsBytes,
  trustAnchorsCid,
  type TrustAnchors,
} from './TrustAnchors.js'
export { vendorAnchors } from './vendorAnchors.js'
export { isVendorRoot, vendorRoots } from './vendorRoots.js'
