export { maxCollateralBytes } from './hardwareSteps.js'
export {
  stepNames,
  type HashedBytes,
  type PublishedEvent,
  type ReceiptEvidence,
  type ReceiptVerdict,
  type Step,
  type StepName,
  type StepResult,
  type VerifyReceiptOptions,
} from './types.js'
export { checkReceipt, receiptSteps, verifyReceipt } from './verifyReceipt.js'
