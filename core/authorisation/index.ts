export {
  authorisationLevels,
  authorisationOf,
  authorisationSchema,
  ownersApprovalSchema,
  passkeyApprovalSchema,
  type Authorisation,
  type OwnersApproval,
  type PasskeyApproval,
  type RecoveryApproval,
} from './Authorisation.js'
export { encodeIntent, intentChallenge, type Intent } from './intent.js'
export {
  ownersHash,
  ownersSchema,
  parseOwners,
  type KnownCredential,
  type OwnedSince,
  type OwnerCredential,
  type OwnersRecord,
  type WalletOwners,
} from './Owners.js'
export {
  encodeStatement,
  hashOf,
  maxStatementSeconds,
  statementSchema,
  subjectCommitment,
  verifyStatement,
  zero32,
  zeroAddress,
  type SignedStatement,
  type Stated,
  type Statement,
} from './Statement.js'
export {
  checkApprovalTime,
  ownersIntent,
  signingIntent,
  transactionIntent,
  verifyOwnersApproval,
  verifyPasskeyApproval,
  type Signable,
} from './verifyApproval.js'
export { base64url, originOf, verifyAssertion, type Assertion } from './verifyAssertion.js'
