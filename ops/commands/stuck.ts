import { remedyFor } from '@perigee/core/workflow'
import { findStuck, type StuckProof } from '../../database/index.js'
import type { OpsConfig } from '../config.js'
import { withDatabase } from '../connections.js'
import type { Outcome } from '../Outcome.js'
import { isFailed } from './openRunStatus.js'

/** Lists proofs that need an operator. */
export function stuck(config: OpsConfig, options: { overdueSeconds: number; abandoned: boolean }): Promise<Outcome> {
  return withDatabase(config, async (database) => {
    const found: (StuckProof & { advice: string })[] = []
    for await (const proof of findStuck(database, options)) {
      found.push({
        ...proof,
        advice: proof.abandoned ? 'abandoned; a retry revives it' : adviceFor(proof),
      })
    }
    const lines = found.flatMap(({ slug, status, since, errorCode, errorMessage, advice }) => [
      `${slug}  ${status}  since ${since.toISOString()}`,
      ...(errorCode ? [`  ${errorCode}: ${errorMessage ?? ''}`] : []),
      `  ${advice}`,
    ])
    lines.push(...retriesOfMany(found))
    lines.push(found.length === 0 ? 'nothing is stuck' : `${found.length} stuck`)
    return { lines, json: { stuck: found }, exitCode: found.length === 0 ? 0 : 1 }
  })
}

function adviceFor({ status, errorCode }: StuckProof): string {
  const isLate = status === 'pending_pin' || status === 'pending_onchain'
  if (isLate) return 'late: check that workers run, and read their log. If its run in Temporal has failed, retry'
  const { first, then } = remedyFor(errorCode)
  return `${first}, then ${then}`
}

/** After an outage many have failed in the same way: one command retries them all. */
function retriesOfMany(found: readonly StuckProof[]): string[] {
  const codes = found
    .filter(({ abandoned, status }) => !abandoned && isFailed(status))
    .map(({ errorCode }) => errorCode)
  return [...new Set(codes)].flatMap((code) => {
    const count = codes.filter((one) => one === code).length
    if (code === null || count < 2) return []
    return [`all ${count} with ${code}: npm run ops -- retry --all --code ${code} --operator … --reason …`]
  })
}
