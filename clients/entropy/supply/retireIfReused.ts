import { ServiceError } from '@perigee/core'
import type { EntropySample } from '@perigee/core/entropy'
import type { EntropyPurpose, EntropySupply } from './createEntropySupply.js'

/**
 * Uses a sample. If it is refused because it has served before, it is retired, so that the next request gets another:
 * otherwise the purpose would keep it until it is stale.
 */
export async function retireIfReused<T>(
  supply: Pick<EntropySupply, 'retire'>,
  purpose: EntropyPurpose,
  sample: EntropySample,
  use: () => Promise<T>,
): Promise<T> {
  try {
    return await use()
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'entropy_reused') await supply.retire(purpose, sample)
    throw error
  }
}
