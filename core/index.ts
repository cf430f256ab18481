// What most programs need. Everything else is imported from its folder: `@perigee/core/receipt`, `@perigee/core/tdx`, …
export type { SessionUser, WalletInfo } from './account.js'
export {
  canonicalJson,
  cidOf,
  concatBytes,
  fromHex,
  parseStrictJson,
  toHex,
  verifyCid,
  type Hex,
  type Json,
  type UnixSeconds,
} from './bytes/index.js'
export {
  describeError,
  errorCatalogue,
  isErrorCode,
  ServiceError,
  withCode,
  type ErrorCode,
  type Facts,
} from './errors/index.js'
export {
  isTerminal,
  proofStatuses,
  type BirthProof,
  type MessageProof,
  type ProofPayload,
  type ProofStatus,
  type TransactionProof,
} from './proof/index.js'
export {
  parseSignature,
  parseTxMetadata,
  serializeSigned,
  transactionDigest,
  transactionHash,
  txMetadataSchema,
  verifyDigest,
  verifySigner,
  type ParsedSignature,
  type TxMetadata,
} from './transaction/index.js'
