import type {
  ChangeOwnersAnswer,
  ChangeOwnersRequest,
  CreateKeyAnswer,
  CreateKeyRequest,
  EnclaveInfo,
  ResealKeyAnswer,
  ResealKeyRequest,
  SignMessageAnswer,
  SignMessageRequest,
  SignTransactionAnswer,
  SignTransactionRequest,
} from '@perigee/core/enclave'

/**
 * The enclave as the worker sees it. Errors are ServiceErrors with the enclave's own code, or `enclave_unreachable`,
 * `enclave_busy`, `client_not_authenticated`. A retry needs a new nonce and keeps everything else.
 */
export interface EnclaveClient {
  createKey(request: CreateKeyRequest): Promise<CreateKeyAnswer>
  signTransaction(request: SignTransactionRequest): Promise<SignTransactionAnswer>
  signMessage(request: SignMessageRequest): Promise<SignMessageAnswer>
  changeOwners(request: ChangeOwnersRequest): Promise<ChangeOwnersAnswer>
  resealKey(request: ResealKeyRequest): Promise<ResealKeyAnswer>
  info(): Promise<EnclaveInfo>
  close(): void
}
