export { createProofReader, type ProofReader } from './createProofReader.js'
export type { WaitForProofOptions } from '../client/waitForProof.js'
export { ServiceError, type SdkErrorCode, type ServiceErrorCode, type ServiceErrorDetails } from '../errors/index.js'
export type * from '../types.js'
