export {
  claimIdempotencyKey,
  keepIdempotentAnswer,
  releaseIdempotencyKey,
  sweepIdempotencyKeys,
  type ClaimResult,
  type IdempotencyClaim,
} from './idempotency.js'
