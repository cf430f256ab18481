export {
  keyIdOf,
  type CreateKeyAnswer,
  type CreateKeyRequest,
  type EnclaveEvidence,
  type EnclaveInfo,
  type RuntimeEvent,
  type SignTransactionAnswer,
  type SignTransactionRequest,
} from './wire.js'
