import { ServiceError } from '@perigee/core'

const transient = new Set<string>(['chain_unavailable', 'chain_contradiction'])

export type Tolerant = <T>(question: () => Promise<T>) => Promise<T | null>

/**
 * Runs questions to the chain; null when the chain is in trouble (a reorg under way, RPCs that disagree or restart), so
 * that the caller asks again after its usual pause instead of failing the attempt. Throws what lasts longer than
 * `maxMs`, so that operators see it.
 */
export function tolerateOutage(maxMs: number): Tolerant {
  let since: number | null = null
  return async (question) => {
    try {
      const answer = await question()
      since = null
      return answer
    } catch (error) {
      if (!(error instanceof ServiceError) || !transient.has(error.code)) throw error
      since ??= Date.now()
      if (Date.now() - since >= maxMs) throw error
      return null
    }
  }
}
