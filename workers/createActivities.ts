import { createAtOnceActivities } from '../activities/publishing/createAtOnceActivities.js'
import { createChainActivities, type ChainDeps } from '../activities/publishing/createChainActivities.js'
import { createPinActivities, type PinDeps } from '../activities/publishing/createPinActivities.js'
import { createRecordActivities } from '../activities/publishing/createRecordActivities.js'
import { createSweepActivities, type SweepDeps } from '../activities/publishing/createSweepActivities.js'
import type { QueueName } from './createWorkers.js'
import { createSigningActivities, type SigningDeps } from '../activities/signing/createSigningActivities.js'
import { createWalletActivities, type WalletDeps } from '../activities/wallets/createWalletActivities.js'

export type ActivityDeps = WalletDeps & SigningDeps & PinDeps & ChainDeps & SweepDeps

/**
 * Every activity, grouped by what it is about; `createWorkers` says which queue runs which. A process that serves
 * `chain` may publish at once where it pins.
 */
export function createActivities(deps: ActivityDeps, queues: readonly QueueName[]) {
  const pins = createPinActivities(deps)
  const chain = createChainActivities(deps)
  return {
    ...{ pins, chain, atOnce: createAtOnceActivities({ pins, chain: queues.includes('chain') ? chain : null }) },
    wallets: createWalletActivities(deps),
    signing: createSigningActivities(deps),
    records: createRecordActivities(deps),
    sweep: createSweepActivities(deps),
  }
}

export type PerigeeActivities = ReturnType<typeof createActivities>
