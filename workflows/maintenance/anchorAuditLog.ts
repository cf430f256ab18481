import { proxyActivities } from '@temporalio/workflow'
import type { AnchorInput, AnchorResult } from '@perigee/core/workflow'
import type { ChainActivities } from '../../activities/publishing/createChainActivities.js'
import type { PinActivities } from '../../activities/publishing/createPinActivities.js'
import { maintenanceBudgets } from './maintenanceBudgets.js'

const { pinAuditHead } = proxyActivities<PinActivities>(maintenanceBudgets.pinAuditHead)
const { publishAuditHead } = proxyActivities<ChainActivities>(maintenanceBudgets.publishAuditHead)

/**
 * Run by a schedule, and by `npm run ops -- audit-log anchor`: publishes the head of the audit log outside the database that
 * the log guards. A head that is published already costs nothing; a log that is broken since its last anchor is not anchored.
 */
export async function anchorAuditLog(input?: AnchorInput): Promise<AnchorResult> {
  const { sequence, cid } = await pinAuditHead(input)
  const { onchainTxHash, onchainBlockNumber } = await publishAuditHead({ sequence })
  return { sequence, cid, onchainTxHash, onchainBlockNumber }
}
