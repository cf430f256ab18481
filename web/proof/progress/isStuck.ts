import type { ProofPayload } from '@perigee/sdk'

const usualMs = 2 * 60_000

/** Whether an operator might want to look: it failed, or is taking longer than usual. */
export function isStuck({ status, createdAt }: Pick<ProofPayload, 'status' | 'createdAt'>, now = Date.now()): boolean {
  if (status === 'complete') return false
  return status === 'pin_failed' || status === 'onchain_failed' || now - Date.parse(createdAt) > usualMs
}
