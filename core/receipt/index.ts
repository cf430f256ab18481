export type { AttestationReceiptV1 } from './AttestationReceiptV1.js'
