export { ServiceClient } from './client/ServiceClient.js'
export type { ServiceApi } from './client/createApi.js'
export type { Owners } from './client/createOwners.js'
export type { WaitForProofOptions } from './client/waitForProof.js'
export {
  ServiceError,
  type SdkErrorCode,
  type ServiceErrorCode,
  type ServiceErrorDetails,
} from './errors/ServiceError.js'
export type { ServiceContextValue } from './react/ServiceContext.js'
export { ServiceProvider, type ServiceProviderProps } from './react/ServiceProvider.js'
export { useAttestation, type AttestationState } from './react/useAttestation.js'
export { useService } from './react/useService.js'
export { useServiceError } from './react/useServiceError.js'
export { useSign, type SignState } from './react/useSign.js'
export { useWallet, type WalletState } from './react/useWallet.js'
export type {
  AttestationReceiptV1,
  AuthorisationMode,
  BirthProof,
  BirthReceiptV1,
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
  TransactionProof,
  TxMetadata,
  WalletInfo,
  WalletOwners,
} from './types.js'
