export { releaseAnnounced, releaseWithdrawn } from './releaseEvents.js'
