import type { PublicClient } from 'viem'
import { walletNotReady, type ServiceError } from '../../errors/ServiceError.js'
import type { Confirm, Hex } from '../../types.js'
import type { ServiceApi } from '../createApi.js'
import type { Owners } from '../createOwners.js'

/** What code that is loaded on demand uses of a client. */
export interface Signer {
  chainId: number
  api: ServiceApi
  owners: Owners
  publicClient: PublicClient
  confirm: Confirm | undefined
}

/** The address of the person's wallet. Throws `wallet_not_ready` where there is none. */
export async function walletAddress({ api }: Signer, signal?: AbortSignal): Promise<Hex> {
  try {
    return (await api.getWallet(signal)).address
  } catch (error) {
    if ((error as ServiceError).status === 404) throw walletNotReady()
    throw error
  }
}
