import { createEntropyActivities, type EntropyDeps } from '../activities/evidence/createEntropyActivities.js'
import { createQuoteActivities, type QuoteDeps } from '../activities/evidence/createQuoteActivities.js'
import { createBroadcastActivities, type BroadcastDeps } from '../activities/publishing/createBroadcastActivities.js'
import { createChainActivities } from '../activities/publishing/createChainActivities.js'
import { createOrphanActivities, type OrphanDeps } from '../activities/publishing/createOrphanActivities.js'
import { createPinActivities, type PinDeps } from '../activities/publishing/createPinActivities.js'
import { createRecordActivities } from '../activities/publishing/createRecordActivities.js'
import { createRetentionActivities } from '../activities/createRetentionActivities.js'
import { createSigningActivities, type SigningDeps } from '../activities/signing/createSigningActivities.js'
import { createDeadLetterActivities } from '../activities/webhooks/createDeadLetterActivities.js'
import { createDeliveryActivities, type DeliveryDeps } from '../activities/webhooks/createDeliveryActivities.js'
import { createOwnersActivities, type OwnersDeps } from '../activities/wallets/createOwnersActivities.js'
import { createResealActivities, type ResealDeps } from '../activities/wallets/createResealActivities.js'
import { createWalletActivities, type WalletDeps } from '../activities/wallets/createWalletActivities.js'
import type { PublishingDeps } from '../clients/chain/publisher/createSlotResolver.js'

export type ActivityDeps = EntropyDeps &
  QuoteDeps &
  WalletDeps &
  OwnersDeps &
  ResealDeps &
  SigningDeps &
  BroadcastDeps &
  PinDeps &
  PublishingDeps &
  OrphanDeps &
  DeliveryDeps

/** Every activity, by the task queue that runs it. */
export function createActivities(deps: ActivityDeps) {
  return {
    sign: {
      ...createEntropyActivities(deps),
      ...createQuoteActivities(deps),
      ...createSigningActivities(deps),
      ...createWalletActivities(deps),
      ...createOwnersActivities(deps),
      ...createResealActivities(deps),
    },
    publish: {
      ...createPinActivities(deps),
      ...createRecordActivities(deps),
      ...createOrphanActivities(deps),
      ...createDeadLetterActivities(deps),
      ...createRetentionActivities(deps),
    },
    chain: { ...createBroadcastActivities(deps), ...createChainActivities(deps) },
    webhooks: createDeliveryActivities(deps),
  }
}

export type PerigeeActivities = ReturnType<typeof createActivities>
