import { createAtOnceActivities } from '../activities/publishing/createAtOnceActivities.js'
import { createChainActivities, type ChainDeps } from '../activities/publishing/createChainActivities.js'
import { createPinActivities, type PinDeps } from '../activities/publishing/createPinActivities.js'
import { createRecordActivities } from '../activities/publishing/createRecordActivities.js'
import { createSweepActivities, type SweepDeps } from '../activities/publishing/createSweepActivities.js'
import type { HandOver } from '../temporal/index.js'
import type { QueueName } from './createWorkers.js'
import { handOverSignatures } from './handOverSignatures.js'
import { publishSigned, type PublishSignedDeps } from './publishSigned.js'
import { createSigningActivities, type SigningDeps } from '../activities/signing/createSigningActivities.js'
import { createWalletActivities, type WalletDeps } from '../activities/wallets/createWalletActivities.js'

export type ActivityDeps = WalletDeps & SigningDeps & PublishSignedDeps & PinDeps & ChainDeps & SweepDeps

/**
 * Every activity, grouped by what it is about; `createWorkers` says which queue runs which. A process that serves
 * `chain` may publish at once where it pins. Callers in this process say through `handOver` what is coming, and hear
 * through it before anything else is done for the signature.
 */
export function createActivities(deps: ActivityDeps, queues: readonly QueueName[], handOver?: HandOver) {
  const pins = createPinActivities(deps)
  const chain = createChainActivities(deps)
  const signing = createSigningActivities(deps)
  return {
    ...{ pins, chain, atOnce: createAtOnceActivities({ pins, chain: queues.includes('chain') ? chain : null }) },
    wallets: createWalletActivities(deps),
    /** Not an activity: hears of signatures whose workflow task has arrived. */
    arrived: signing.arrived,
    signing: publishSigned(handOver ? handOverSignatures(signing, handOver) : signing, deps),
    records: createRecordActivities(deps),
    sweep: createSweepActivities(deps),
  }
}

export type PerigeeActivities = ReturnType<typeof createActivities>
