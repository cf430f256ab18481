import { proxyLocalActivities } from '@temporalio/workflow'
import type { ChangeOwnersInput, ChangeOwnersResult } from '@perigee/core/workflow'
import type { QuoteActivities } from '../../activities/evidence/createQuoteActivities.js'
import type { OwnersActivities } from '../../activities/wallets/createOwnersActivities.js'
import { ownersBudgets } from './keyBudgets.js'
import { asApplicationFailure } from '../failures.js'

const { changeOwnersInEnclave } = proxyLocalActivities<OwnersActivities>(ownersBudgets.changeOwnersInEnclave)
const { verifyQuote } = proxyLocalActivities<QuoteActivities>(ownersBudgets.verifyQuote)
const { recordOwners } = proxyLocalActivities<OwnersActivities>(ownersBudgets.recordOwners)

/**
 * Seals a wallet's key for other owners. The id `owners/<walletId>/<sequence>` lets one change from the same record run
 * at a time; the row decides which came first.
 */
export async function changeOwners(input: ChangeOwnersInput): Promise<ChangeOwnersResult> {
  try {
    const { owners: next, approval, coordinator, statement } = input
    const resealed = await changeOwnersInEnclave(input)
    if (!('answer' in resealed)) return resealed
    const { keyId, address, owners, since, nonce, answer } = resealed
    const request = { keyId, address, owners, since, next, approval, nonce, coordinator, statement }
    const verified = await verifyQuote({ kind: 'owners', request, answer })
    return await recordOwners({ ...input, resealed, verified })
  } catch (error) {
    throw asApplicationFailure(error)
  }
}
