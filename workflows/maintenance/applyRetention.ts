import { proxyActivities } from '@temporalio/workflow'
import type { RetentionActivities } from '../../activities/createRetentionActivities.js'
import { maintenanceBudgets } from './maintenanceBudgets.js'

const { deleteExpired } = proxyActivities<RetentionActivities>(maintenanceBudgets.deleteExpired)

/** Run by a schedule: deletes what the rules no longer keep. Returns how many rows each rule took. */
export async function applyRetention(): Promise<Record<string, number>> {
  return deleteExpired()
}
