import { proxyLocalActivities } from '@temporalio/workflow'
import type { ResealWalletInput, ResealWalletResult } from '@perigee/core/workflow'
import type { QuoteActivities } from '../../activities/evidence/createQuoteActivities.js'
import type { ResealActivities } from '../../activities/wallets/createResealActivities.js'
import { resealBudgets } from './keyBudgets.js'
import { asApplicationFailure } from '../failures.js'

const { resealKeyInEnclave } = proxyLocalActivities<ResealActivities>(resealBudgets.resealKeyInEnclave)
const { verifyQuote } = proxyLocalActivities<QuoteActivities>(resealBudgets.verifyQuote)
const { recordReseal } = proxyLocalActivities<ResealActivities>(resealBudgets.recordReseal)

/**
 * Seals a wallet's key under another version of the sealing key. The API starts it when the person is here, because only
 * the session knows the subject that the key is bound to. The id `reseal/<walletId>/<version>` lets one run at a time.
 */
export async function resealWallet(input: ResealWalletInput): Promise<ResealWalletResult> {
  try {
    const resealed = await resealKeyInEnclave(input)
    if (!('answer' in resealed)) return resealed
    const { key, nonce, answer } = resealed
    const { coordinator, statement } = input
    const request = { ...key, nonce, coordinator, statement }
    const verified = await verifyQuote({ kind: 'reseal', request, answer })
    return await recordReseal({ ...input, resealed, verified })
  } catch (error) {
    throw asApplicationFailure(error)
  }
}
