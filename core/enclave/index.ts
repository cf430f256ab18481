export { parseCreateKeyAnswer, parseEnclaveInfo, parseSignTransactionAnswer } from './parseAnswers.js'
export { parseCreateKeyRequest, parseSignTransactionRequest } from './parseRequests.js'
export {
  keyIdOf,
  type CreateKeyAnswer,
  type CreateKeyRequest,
  type EnclaveEvidence,
  type EnclaveInfo,
  type SignTransactionAnswer,
  type SignTransactionRequest,
} from './wire.js'
export type { RuntimeEvent } from '../measurements/index.js'
