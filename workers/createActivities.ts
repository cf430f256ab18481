import { createChainActivities, type ChainDeps } from '../activities/publishing/createChainActivities.js'
import { createPinActivities, type PinDeps } from '../activities/publishing/createPinActivities.js'
import { createRecordActivities } from '../activities/publishing/createRecordActivities.js'
import { createSweepActivities, type SweepDeps } from '../activities/publishing/createSweepActivities.js'
import { createSigningActivities, type SigningDeps } from '../activities/signing/createSigningActivities.js'
import { createWalletActivities, type WalletDeps } from '../activities/wallets/createWalletActivities.js'

export type ActivityDeps = WalletDeps & SigningDeps & PinDeps & ChainDeps & SweepDeps

/** Every activity, grouped by what it is about; `createWorkers` says which queue runs which. */
export function createActivities(deps: ActivityDeps) {
  return {
    wallets: createWalletActivities(deps),
    signing: createSigningActivities(deps),
    pins: createPinActivities(deps),
    records: createRecordActivities(deps),
    chain: createChainActivities(deps),
    sweep: createSweepActivities(deps),
  }
}

export type PerigeeActivities = ReturnType<typeof createActivities>
