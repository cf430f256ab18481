import { ServiceError, type EntropySample } from '@perigee/core'
import type { EntropyPurpose, EntropySupply } from './EntropySupply.js'

/**
 * Takes the sample of a purpose and uses it. When the use is refused because the sample has served before, the sample is
 * retired, so that the retry gets another: without this the purpose would hold on to it until it is stale.
 */
export async function withSample<T>(
  supply: Pick<EntropySupply, 'take' | 'retire'>,
  purpose: EntropyPurpose,
  use: (sample: EntropySample) => Promise<T>,
): Promise<T> {
  const sample = await supply.take(purpose)
  try {
    return await use(sample)
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'entropy_reused') await supply.retire(purpose, sample)
    throw error
  }
}
