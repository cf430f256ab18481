export { ServiceClient } from './client/ServiceClient.js'
export type { ServiceApi } from './client/createApi.js'
export type { Owners } from './client/createOwners.js'
export type { WaitForProofOptions } from './client/proof/waitForProof.js'
export {
  ServiceError,
  type SdkErrorCode,
  type ServiceErrorCode,
  type ServiceErrorDetails,
} from './errors/ServiceError.js'
export type { ServiceContextValue } from './react/ServiceContext.js'
export { ServiceProvider, type ServiceProviderProps } from './react/ServiceProvider.js'
export { useAttestation, type AttestationState } from './react/useAttestation.js'
export type { CallState } from './react/useCall.js'
export { useConfirmation, type Confirmation } from './react/useConfirmation.js'
export { useService } from './react/useService.js'
export { useServiceError } from './react/useServiceError.js'
export { useSign, type SignState } from './react/useSign.js'
export { useSignMessage, type SignMessageState } from './react/useSignMessage.js'
export { useSignTypedData, type SignTypedDataState } from './react/useSignTypedData.js'
export { useWallet, type WalletState } from './react/useWallet.js'
export type {
  Allowance,
  AttestationReceiptV1,
  AuthorisationMode,
  BirthProof,
  BirthReceiptV1,
  Confirm,
  Enrolled,
  EnrolOptions,
  Hex,
  KnownCredential,
  KnownTypedData,
  Message,
  MessageProof,
  MessageReceiptV1,
  MessageView,
  Opening,
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
  SignableMessage,
  SignDigestRequest,
  SignDigestResult,
  SignIn,
  SignMessageOptions,
  SignMessageProgress,
  SignMessageRequest,
  SignMessageResult,
  SignOptions,
  SignProgress,
  SignRequest,
  SignResult,
  TransactionProof,
  TxMetadata,
  TypedData,
  TypedDataInput,
  TypedDomain,
  TypedMember,
  ViewNode,
  ViewWarning,
  WalletInfo,
  WalletOwners,
} from './types.js'
