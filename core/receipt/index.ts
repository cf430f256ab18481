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
export { isVendorRoot, vendorRoots } from './vendorRoots.js'
