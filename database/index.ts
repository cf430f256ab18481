export { createDataSource, openDatabase } from './dataSource.js'
export { isDatabaseAway } from './isDatabaseAway.js'
export { tryLockUntilCommit } from './lockUntilCommit.js'
export { AttestationEntity, type Attestation, type ReceiptAnchors } from './entities/Attestation.js'
export type { AuditLogAnchor } from './entities/AuditEvent.js'
export { BundleEntity } from './entities/Bundle.js'
export type { Reseal } from './entities/Reseal.js'
export { PublicationEntity } from './entities/Publication.js'
export { PublisherSlotEntity, type NewSlot, type NewTransaction, type PublisherSlot } from './entities/Publisher.js'
export { TransactionEntity } from './entities/Transaction.js'
export { MessageEntity } from './entities/Message.js'
export { WalletEntity, type Wallet } from './entities/Wallet.js'
export { WebhookDeliveryEntity, webhookEvents, type WebhookDelivery, type WebhookEvent } from './entities/Webhook.js'
export {
  findLiveSession,
  findLiveSessionsOf,
  insertSession,
  revokeSessions,
  touchSession,
  useSignInTransaction,
  type LiveSession,
} from './accounts/sessions.js'
export { findSubject, recordSignIn, userExists, type Identity } from './accounts/users.js'
export { appendAuditEvent, lastAuditEvent, type AuditKind } from './auditLog/appendAuditEvent.js'
export {
  anchorAge,
  findAnchor,
  findAnchorsUnderWay,
  findPlacedAnchors,
  findSlotOfAnchor,
  keepAnchor,
  lastAnchor,
  markAnchored,
  openAnchorSlot,
  statedHead,
} from './auditLog/anchors.js'
export { isAuditLogBroken, setBrokenAt, verifyAuditLog, walkAuditLog } from './auditLog/verifyAuditLog.js'
export { reserveRequest } from './entropy/reserveRequest.js'
export {
  dropWaitingSamples,
  pruneExpiredSamples,
  storeSamples,
  streamHighWater,
  type NewSample,
} from './entropy/storeSamples.js'
export {
  dropRefillLease,
  holdRefillLease,
  readEntropyState,
  supplyLevel,
  writeEntropyState,
} from './entropy/supplyState.js'
export { retireSample, takeSample, type TakeFilter } from './entropy/takeSample.js'
export { findStaleCollateral, writeCollateralState } from './operations/collateralStates.js'
export { findPublisherTransactions, findSenders, walkSlots } from './operations/publisherSlots.js'
export {
  findProofsOf,
  findSignedChains,
  findSignedNonces,
  walkBundles,
  walkProofs,
  walkWallets,
  type KnownProof,
  type ReconciledProof,
  type SignedNonce,
} from './operations/records.js'
export { findStuck, type StuckProof } from './operations/stuckProofs.js'
export { addCpu, readUsage, type UsageDay } from './operations/usage.js'
export { checkChain } from './publishing/checkChain.js'
export { countPins, forgetPins, pinnedNodes, recordPins, stalePins } from './publishing/pins.js'
export { findBirth, getProof, loadProofRecord, type ProofRecord } from './publishing/proofs.js'
export {
  countOverdue,
  countUnfinished,
  findPublishedFailures,
  findUnfinished,
  markAbandoned,
  markComplete,
  markFailed,
  markOutdated,
  markPinned,
  markRetried,
  renewVerification,
  signedAt,
  type FailedStep,
  type OnchainPlace,
  type Verification,
} from './publishing/publications.js'
export { lastRepairs, markRepaired } from './publishing/repairs.js'
export { recentBlocks, reopenBlock, reopenSlot } from './publishing/reorgs.js'
export {
  addTransaction,
  asOwnerOf,
  carriesPublication,
  collateralOfSlot,
  closeSlot,
  countInFlight,
  emptyCalldata,
  findOpenSlots,
  findSlotOf,
  lowestUnminedSlot,
  openEmptySlot,
  openSlot,
  slotTransactions,
  spentSince,
} from './publishing/slots.js'
export { findNamingFormer, findPinned, findWaiting, type WaitingProof } from './publishing/waitingProofs.js'
export {
  claimIdempotencyKey,
  findIdempotentAnswer,
  keepIdempotentAnswer,
  releaseIdempotencyKey,
  type IdempotencyClaim,
  type KeptAnswer,
} from './requests/idempotencyKeys.js'
export { deleteExpired } from './retention/deleteExpired.js'
export { retentionBatch, retentionRules } from './retention/retentionRules.js'
export { takeFromLimit } from './requests/takeFromLimit.js'
export { findBundle, loadBundle, storeBundlesOnce } from './signing/bundles.js'
export { countBySealingVersion, hasReseal, recordReseal } from './signing/reseals.js'
export { findMessageSigner, recordMessage, type MessageRecord } from './signing/recordMessage.js'
export { findSigner, recordSignature, type ProvenRecord, type SignatureRecord } from './signing/recordSignature.js'
export {
  findWallet,
  findWalletByUser,
  recordOwners,
  recordWallet,
  toWalletInfo,
  type BirthRecord,
  type KnownWallet,
} from './signing/wallets.js'
export { isRegistered, registerApplications, renewApplications } from './webhooks/applications.js'
export {
  countUndelivered,
  findDead,
  findDelivery,
  findUnchecked,
  markChecked,
  markDead,
  markDelivered,
  replayDeliveries,
  type DeadLetter,
} from './webhooks/deliveries.js'
export { closeClaim, closeClaims } from './usage/closeClaims.js'
export { leaveStreamPlace, placeSeconds, renewStreamPlace, takeStreamPlace } from './usage/streamPlaces.js'
export { takeShare, type ShareScope } from './usage/takeShare.js'
