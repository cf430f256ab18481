import { proxyLocalActivities } from '@temporalio/workflow'
import type { ProvisionedWallet, ProvisionWalletInput, ProvisionWalletResult } from '@perigee/core/workflow'
import type { EntropyActivities } from '../../activities/evidence/createEntropyActivities.js'
import type { QuoteActivities } from '../../activities/evidence/createQuoteActivities.js'
import type { WalletActivities } from '../../activities/wallets/createWalletActivities.js'
import { provisionBudgets } from './keyBudgets.js'
import { asApplicationFailure } from '../failures.js'
import { startPublishing } from '../publishing/startPublishing.js'

const { fetchEntropy } = proxyLocalActivities<EntropyActivities>(provisionBudgets.fetchEntropy)
const { createKeyInEnclave } = proxyLocalActivities<WalletActivities>(provisionBudgets.createKeyInEnclave)
const { verifyQuote } = proxyLocalActivities<QuoteActivities>(provisionBudgets.verifyQuote)
const { recordWallet } = proxyLocalActivities<WalletActivities>(provisionBudgets.recordWallet)

/**
 * Gives a user a wallet, and sees the publication of its birth started. The id `wallet/<userId>` lets one run at a time;
 * the unique row lets one wallet exist.
 */
export async function provisionWallet(input: ProvisionWalletInput): Promise<ProvisionWalletResult> {
  const { walletId, address, birth } = await provision(input).catch((error: unknown) => {
    throw asApplicationFailure(error)
  })
  if (birth) await startPublishing(birth)
  return { walletId, address }
}

async function provision(input: ProvisionWalletInput): Promise<ProvisionedWallet> {
  const { userId, owned, coordinator, statement } = input
  const found = await fetchEntropy({ kind: 'create', userId })
  if ('wallet' in found) return found.wallet
  const entropy = found.sample
  const key = await createKeyInEnclave({ ...input, entropy })
  const { nonce, answer } = key
  const [owners, approval] = [owned?.owners ?? null, owned?.approval ?? null]
  const request = { entropy, nonce, coordinator, statement, owners, approval }
  const verified = await verifyQuote({ kind: 'create', request, answer })
  return recordWallet({ ...input, entropy, key, verified })
}
