export { ServiceClient } from './ServiceClient.js'
export type { ServiceApi } from './createApi.js'
export type { WaitForProofOptions } from './waitForProof.js'
export {
  ServiceError,
  type SdkErrorCode,
  type ServiceErrorCode,
  type ServiceErrorDetails,
} from '../errors/ServiceError.js'
export type {
  AttestationReceiptV1,
  Hex,
  ProofPayload,
  ProofStatus,
  ServiceClientConfig,
  SessionUser,
  SignDigestRequest,
  SignDigestResult,
  SignOptions,
  SignProgress,
  SignRequest,
  SignResult,
  TxMetadata,
  WalletInfo,
} from '../types.js'
