export {
  stepNames,
  type PublishedEvent,
  type ReceiptEvidence,
  type ReceiptVerdict,
  type StepName,
  type StepResult,
} from './types.js'
export { isoTime } from './evidence.js'
export { tcbThenAndNow, type Candidate, type TcbThenAndNow } from './tcbThenAndNow.js'
export { verifyOpening, type OpenedMessage } from './verifyOpening.js'
export { publishingEvents, timesApart } from './verificationTime.js'
export { birthSteps, checkReceipt, messageSteps, receiptSteps, verifyReceipt } from './verifyReceipt.js'
