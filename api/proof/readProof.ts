import { isTerminal, ServiceError, type ProofPayload, type ProofStatus } from '@perigee/core'
import type { ApiDeps } from '../ApiDeps.js'

export interface ProofDeps extends Pick<ApiDeps, 'findProof'> {
  temporal: Pick<ApiDeps['temporal'], 'queryProof'>
}

/** How far along a state is. A step commits its record just before its workflow learns of it. */
const progressOf: Record<ProofStatus, number> = {
  pending_pin: 0,
  pin_failed: 1,
  pending_onchain: 2,
  onchain_failed: 3,
  complete: 4,
}

export async function readRecord({ findProof }: Pick<ProofDeps, 'findProof'>, slug: string): Promise<ProofPayload> {
  const record = await findProof(slug)
  if (!record) throw new ServiceError('proof_not_found', 'there is no proof with this slug')
  return record
}

/**
 * A terminal proof comes from its record; any other from its workflow, or from the record when no worker answers in
 * time. A state that a client has seen is never taken back: of the two, the one further along is the answer.
 */
export async function readProof(deps: ProofDeps, slug: string): Promise<ProofPayload> {
  const record = await readRecord(deps, slug)
  if (isTerminal(record.status)) return record
  const progress = await deps.temporal.queryProof(slug)
  if (!progress || progressOf[progress.status] < progressOf[record.status]) return record
  // The workflow has moved on since the record was read. The receipt is in the record, so read it again.
  const current = progress.status === record.status ? record : ((await deps.findProof(slug)) ?? record)
  const { status, onchainTxHash, onchainBlockNumber } = progress
  return { ...current, status, onchainTxHash, onchainBlockNumber }
}
