import { proxyLocalActivities } from '@temporalio/workflow'
import type { ProvisionWalletInput, ProvisionWalletResult } from '@perigee/core/workflow'
import type { WalletActivities } from '../activities/wallets/createWalletActivities.js'
import { provisionBudget } from './budgets.js'
import { asApplicationFailure } from './failures.js'

const { createWallet } = proxyLocalActivities<WalletActivities>(provisionBudget)

/** Gives a user a wallet. The id `wallet/<userId>` lets one run at a time; the unique row lets one wallet exist. */
export async function provisionWallet(input: ProvisionWalletInput): Promise<ProvisionWalletResult> {
  try {
    return await createWallet(input)
  } catch (error) {
    throw asApplicationFailure(error)
  }
}
