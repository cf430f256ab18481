export {
  parseChangeOwnersAnswer,
  parseCreateKeyAnswer,
  parseEnclaveInfo,
  parseResealKeyAnswer,
  parseSignMessageAnswer,
  parseSignTransactionAnswer,
} from './parseAnswers.js'
export {
  parseChangeOwnersRequest,
  parseCreateKeyRequest,
  parseResealKeyRequest,
  parseSignMessageRequest,
  parseSignTransactionRequest,
  type Unchecked,
} from './parseRequests.js'
export {
  sealingVersionOf,
  type ChangeOwnersAnswer,
  type ChangeOwnersRequest,
  type CoordinatorEvidence,
  type CreateKeyAnswer,
  type CreateKeyRequest,
  type EnclaveEvidence,
  type EnclaveInfo,
  type ResealKeyAnswer,
  type ResealKeyRequest,
  type SealedKey,
  type SignMessageAnswer,
  type SignMessageRequest,
  type SignTransactionAnswer,
  type SignTransactionRequest,
} from './wire.js'
export { keyIdOf } from '../receipt/addressOfPublicKey.js'
export type { RuntimeEvent } from '../measurements/index.js'
