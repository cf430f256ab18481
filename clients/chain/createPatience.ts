import { ServiceError } from '@perigee/core'

const passing = new Set<string>(['chain_unavailable', 'chain_contradiction'])

/**
 * A chain in trouble (blocks taken back while it is being asked, RPCs that disagree for a moment, a restart) answers
 * wrongly or not at all for seconds. That is no reason to give an attempt up, and to wait out the pauses between attempts,
 * which grow: the answer is null, and the caller asks again. What lasts longer than `patienceMs` is thrown, so that
 * operators see it.
 */
export function createPatience(patienceMs: number) {
  let since: number | null = null
  return async <T>(question: () => Promise<T>): Promise<T | null> => {
    try {
      const answer = await question()
      since = null
      return answer
    } catch (error) {
      if (!(error instanceof ServiceError) || !passing.has(error.code)) throw error
      since ??= Date.now()
      if (Date.now() - since >= patienceMs) throw error
      return null
    }
  }
}
