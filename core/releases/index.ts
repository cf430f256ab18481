export { checkInForce } from './checkInForce.js'
export type { ReleaseAnnouncement, ReleaseEvidence, ReleaseTrust } from './ReleaseAnnouncement.js'
export { releaseAnnounced, releaseWithdrawn } from './releaseEvents.js'
export { releaseInForce, type ReleaseInForce, type VerifiedLists } from './releaseInForce.js'
