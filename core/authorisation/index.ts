export {
  authorisationLevels,
  authorisationSchema,
  hashOf,
  ownersApprovalSchema,
  passkeyApprovalSchema,
  type Authorisation,
  type AuthorisationLevel,
  type OwnedSince,
  type OwnersApproval,
  type PasskeyApproval,
  type RecoveryApproval,
} from './Authorisation.js'
export { authorisationOf, type AuthorisedRequest } from './authorisationOf.js'
export { encodeIntent, intentChallenge, type Intent } from './intent.js'
export { ownersHash, ownersSchema, parseOwners, type OwnerCredential, type OwnersRecord } from './Owners.js'
export {
  encodeStatement,
  maxStatementSeconds,
  statementSchema,
  verifyStatement,
  zero32,
  zeroAddress,
  type SignedStatement,
  type Stated,
  type Statement,
} from './Statement.js'
export { subjectCommitment } from './subject.js'
export {
  checkApprovalTime,
  maxApprovalSeconds,
  signingIntent,
  transactionIntent,
  verifyOwnersApproval,
  verifyPasskeyApproval,
  type Signable,
} from './verifyApproval.js'
export { base64url, originOf, verifyAssertion, type Assertion } from './verifyAssertion.js'
export type { KnownCredential, WalletOwners } from './WalletOwners.js'
