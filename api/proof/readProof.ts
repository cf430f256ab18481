import { isTerminal, ServiceError, type ProofPayload, type ProofStatus } from '@perigee/core'
import type { ApiDeps } from '../ApiDeps.js'

const queryDeadlineMs = 1_000
/** How far along a state is. The record and the workflow may each be a moment behind the other. */
const progressOf: Record<ProofStatus, number> = {
  pending_pin: 0,
  pin_failed: 1,
  pending_onchain: 2,
  onchain_failed: 3,
  complete: 4,
}

/** The latest word on a proof: the record when it is terminal, else the workflow's answer, else the record again. */
export async function readProof(deps: Pick<ApiDeps, 'findProof' | 'temporal'>, slug: string): Promise<ProofPayload> {
  const record = await deps.findProof(slug)
  if (!record) throw new ServiceError('proof_not_found', 'there is no proof with this slug')
  if (isTerminal(record.status)) return record
  const progress = await deps.temporal.queryProof(slug, queryDeadlineMs).catch(() => null)
  if (!progress || progressOf[progress.status] <= progressOf[record.status]) return record
  // The workflow has moved on since we read. The record holds the receipt, so it is read again, not patched.
  return (await deps.findProof(slug)) ?? record
}
