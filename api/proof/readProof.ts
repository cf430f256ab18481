import { isTerminal, ServiceError, type ProofPayload } from '@perigee/core'
import type { ApiDeps } from '../ApiDeps.js'
import { slugSchema } from '../schemas.js'

export interface ProofDeps extends Pick<ApiDeps, 'findProof'> {
  temporal: Pick<ApiDeps['temporal'], 'queryProof'>
}

const noProof = () => new ServiceError('proof_not_found', 'there is no proof with this slug')

/** What cannot be a slug names no proof either: the person with a cut-off link reads the same. */
export function parseSlug(value: unknown): string {
  const { success, data } = slugSchema.safeParse(value)
  if (!success) throw noProof()
  return data
}

export async function readRecord({ findProof }: Pick<ProofDeps, 'findProof'>, slug: string): Promise<ProofPayload> {
  const record = await findProof(slug)
  if (!record) throw noProof()
  return record
}

/**
 * A terminal proof comes from its record; any other from its workflow, or from the record when no worker answers in
 * time. When the two differ, the record as it is after the workflow's answer is right: every step commits its record before
 * its workflow learns of it. After a reorg the record is pending again, while a workflow that ended still says `complete`.
 */
export async function readProof(deps: ProofDeps, slug: string): Promise<ProofPayload> {
  const record = await readRecord(deps, slug)
  if (isTerminal(record.status)) return record
  const progress = await deps.temporal.queryProof(slug)
  if (!progress) return record
  const { status, ipfsCid, onchainTxHash, onchainBlockNumber } = progress
  if (status !== record.status || ipfsCid !== record.ipfsCid) return readRecord(deps, slug)
  return { ...record, status, ipfsCid, onchainTxHash, onchainBlockNumber }
}
