export { ServiceClient } from './ServiceClient.js'
export type { ServiceApi } from './createApi.js'
export type { Owners } from './createOwners.js'
export type { WaitForProofOptions } from './waitForProof.js'
export {
  ServiceError,
  type SdkErrorCode,
  type ServiceErrorCode,
  type ServiceErrorDetails,
} from '../errors/ServiceError.js'
export type {
  AttestationReceiptV1,
  AuthorisationMode,
  Enrolled,
  EnrolOptions,
  Hex,
  KnownCredential,
  OwnerCredential,
  OwnersApproval,
  OwnersChange,
  OwnersRecord,
  PasskeyApproval,
  PasskeyOptions,
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
  WalletOwners,
} from '../types.js'
