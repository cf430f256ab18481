export {
  parseChangeOwnersAnswer,
  parseCreateKeyAnswer,
  parseEnclaveInfo,
  parseSignTransactionAnswer,
} from './parseAnswers.js'
export { parseChangeOwnersRequest, parseCreateKeyRequest, parseSignTransactionRequest } from './parseRequests.js'
export {
  keyIdOf,
  type ChangeOwnersAnswer,
  type ChangeOwnersRequest,
  type CoordinatorEvidence,
  type CreateKeyAnswer,
  type CreateKeyRequest,
  type EnclaveEvidence,
  type EnclaveInfo,
  type SealedKey,
  type SignTransactionAnswer,
  type SignTransactionRequest,
} from './wire.js'
export type { RuntimeEvent } from '../measurements/index.js'
