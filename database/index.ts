export { createDataSource, openDatabase, type DatabaseConfig } from './dataSource.js'
export { AttestationEntity, type Attestation, type ReceiptAnchors } from './entities/Attestation.js'
export { BundleEntity, PinEntity, type Bundle, type Pin } from './entities/Bundle.js'
export { PublicationEntity, type Publication } from './entities/Publication.js'
export {
  PublisherSlotEntity,
  PublisherTransactionEntity,
  type PublisherSlot,
  type PublisherTransaction,
} from './entities/Publisher.js'
export { TransactionEntity, type Transaction } from './entities/Transaction.js'
export { WalletEntity, type Wallet } from './entities/Wallet.js'
export {
  findLiveSession,
  findLiveSessionsOf,
  insertSession,
  revokeOwnSession,
  revokeSession,
  revokeSessionsOf,
  SessionEntity,
  sweepSessions,
  touchSession,
  useSignInTransaction,
  type LiveSession,
  type Session,
} from './sessions/index.js'
export { recordSignIn, userExists, UserEntity, type Identity, type User } from './users/index.js'
export { findSignature, getProof } from './queries/proofs.js'
export { findWalletByUser, toWalletInfo } from './queries/wallets.js'
export { EntropySampleEntity, readEntropyState, type EntropySampleRow, type EntropyState } from './entropy/index.js'
export { findSigner, recordSignature, type SignatureRecord, type SignedRow } from './queries/recordSignature.js'
export { recordWallet } from './queries/recordWallet.js'
export { storeBundlesOnce } from './queries/storeBundles.js'
export {
  countPins,
  countUnfinished,
  findPublishedFailures,
  findUnfinished,
  signedAt,
  loadBundle,
  loadProofRecord,
  markAbandoned,
  markComplete,
  markFailed,
  markPinned,
  markRetried,
  pinnedNodes,
  recordPins,
  stalePins,
  type FailedStep,
  type OnchainPlace,
  type ProofRecord,
} from './queries/publications.js'
export {
  findProofsOf,
  findPublisherTransactions,
  findSenders,
  findSignedChains,
  findSignedNonces,
  findStuck,
  walkBundles,
  walkProofs,
  walkSlots,
  walkWallets,
  type AuditedProof,
  type KnownProof,
  type SignedNonce,
  type StuckProof,
} from './queries/operations.js'
export {
  addTransaction,
  asOwnerOf,
  closeEmptySlots,
  closeSlot,
  countInFlight,
  emptyCalldata,
  carriesProofs,
  findOpenSlots,
  findPinned,
  findSlotOf,
  findWaiting,
  lowestUnminedSlot,
  openEmptySlot,
  openSlot,
  recentBlocks,
  reopenBlock,
  reopenSlot,
  slotTransactions,
  type WaitingProof,
} from './queries/publisherSlots.js'
export {
  appendAuditEvent,
  auditHash,
  verifyAuditLog,
  type AuditEvent,
  type AuditKind,
  type AuditVerdict,
} from './audit/index.js'
export {
  claimIdempotencyKey,
  keepIdempotentAnswer,
  releaseIdempotencyKey,
  sweepIdempotencyKeys,
  type ClaimResult,
  type IdempotencyClaim,
} from './idempotency/index.js'
export { sweepLimits, takeFromLimit, type LimitState } from './limits/index.js'
export { isDatabaseAway } from './isDatabaseAway.js'
