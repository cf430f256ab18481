export { createProofReader, type ProofReader } from './client/proof/createProofReader.js'
export type { WaitForProofOptions } from './client/proof/waitForProof.js'
export {
  ServiceError,
  type SdkErrorCode,
  type ServiceErrorCode,
  type ServiceErrorDetails,
} from './errors/ServiceError.js'
export type { AttestationReceiptV1, Hex, ProofPayload, ProofStatus, ServiceClientConfig, TxMetadata } from './types.js'
