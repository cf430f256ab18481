export {
  parseChangeOwnersAnswer,
  parseCreateKeyAnswer,
  parseEnclaveInfo,
  parseResealKeyAnswer,
  parseSignMessageAnswer,
  parseSignTransactionAnswer,
  type ChangeOwnersAnswer,
  type CreateKeyAnswer,
  type EnclaveEvidence,
  type EnclaveInfo,
  type ResealKeyAnswer,
  type SignMessageAnswer,
  type SignTransactionAnswer,
} from './parseAnswers.js'
export {
  parseChangeOwnersRequest,
  parseCreateKeyRequest,
  parseResealKeyRequest,
  parseSignMessageRequest,
  parseSignTransactionRequest,
  sealingVersionOf,
  type ChangeOwnersRequest,
  type CoordinatorEvidence,
  type CreateKeyRequest,
  type ResealKeyRequest,
  type SealedKey,
  type SignMessageRequest,
  type SignTransactionRequest,
  type Unchecked,
} from './parseRequests.js'
export { keyIdOf } from '../receipt/addressOfPublicKey.js'
export type { RuntimeEvent } from '../measurements/index.js'
