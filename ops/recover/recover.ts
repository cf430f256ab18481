import { ServiceError, type Hex } from '@perigee/core'
import { workflowTypes, type OperatorRequest } from '@perigee/core/workflow'
import { createChain } from '../../clients/chain/createChain.js'
import { appendAuditEvent, dropWaitingSamples, findSenders } from '../../database/index.js'
import { readRun, type RunRecord } from '../../temporal/index.js'
import type { OpsConfig } from '../config.js'
import { withDatabase, withTemporal } from '../connections.js'
import type { Outcome } from '../Outcome.js'
import { createBundleFinder } from './createBundleFinder.js'
import { createLosses, type Losses, type Recovery } from './createLosses.js'
import { findRuns } from './findRuns.js'
import { recoverPublished } from './recoverPublished.js'
import { recoverOwners, recoverSeal } from './recoverSeals.js'
import { recoverMessage, recoverSignature } from './recoverSignature.js'
import { recoverWallet } from './recoverWallet.js'
import { restartOpen } from './restartOpen.js'

/** In this order: what comes later refers to what comes before. Seals of one wallet follow one another in time. */
const passes: Record<string, (run: RunRecord, recovery: Recovery) => Promise<void>>[] = [
  { [workflowTypes.provisionWallet]: recoverWallet },
  { [workflowTypes.changeOwners]: recoverOwners, [workflowTypes.resealWallet]: recoverSeal },
  { [workflowTypes.signDigest]: recoverSignature, [workflowTypes.signMessage]: recoverMessage },
]

interface RecoverCommand {
  /** When the backup was taken, or before. */
  since: Date
  /** Null: only look. */
  apply: OperatorRequest | null
}

/**
 * Puts back what the database lost when it was restored from a backup: wallets, owners, seals and signatures, as the
 * histories of their workflows have them, or their receipts on IPFS. Run it before the API and the workers start again. Safe to repeat.
 */
export function recover(config: OpsConfig, { since, apply }: RecoverCommand): Promise<Outcome> {
  const { codecKeys } = config.temporal()
  const { chain: chainConfig, publishers: configured } = config.chain()
  return withDatabase(config, (database) =>
    withTemporal(config, async ({ client }) => {
      const losses = createLosses()
      const startedAt = new Date()
      const deps = { database, client, losses, findBundle: createBundleFinder(config, database), apply: apply !== null }
      if (apply) {
        const facts = { ...apply, since: since.toISOString() }
        await appendAuditEvent(database, { kind: 'operator_records_recovered', facts })
        // They may have been used after the backup. New ones are fetched.
        losses.count('samples dropped', await dropWaitingSamples(database))
      }
      for (const recoverers of passes) {
        for (const run of await findRuns(client, Object.keys(recoverers), since)) {
          losses.count('runs')
          try {
            await recoverers[run.type]?.(await readRun(client, codecKeys, run), deps)
          } catch (error) {
            losses.gone(run.type, run.workflowId, error instanceof ServiceError ? error.message : 'its history cannot be read') // prettier-ignore
          }
        }
      }
      const publishers = [...new Set<Hex>([...configured, ...(await findSenders(database, chainConfig.chainId))])]
      await recoverPublished(createChain(chainConfig), publishers, deps)
      if (apply) await restartOpen(deps, startedAt)
      return toOutcome(losses, apply !== null)
    }),
  )
}

function toOutcome({ found, lost, checked }: Losses, applied: boolean): Outcome {
  const counts = Object.entries(checked).map(([what, count]) => `${count} ${what}`)
  const lines = [
    ...found.map(({ kind, id }) => `${applied ? 'RECOVERED' : 'LOST     '}  ${kind}  ${id}`),
    ...lost.map(({ kind, id, why }) => `GONE       ${kind}  ${id}: ${why}`),
    `looked at ${counts.join(', ') || 'no runs'}`,
    `${found.length} ${applied ? 'recovered' : 'can be recovered'}, ${lost.length} cannot`,
    ...(found.length > 0 && !applied ? ['Nothing was changed. Repeat it with --apply.'] : []),
  ]
  const exitCode = lost.length > 0 ? 3 : found.length > 0 && !applied ? 1 : 0
  return { lines, json: { applied, found, lost, checked }, exitCode }
}
