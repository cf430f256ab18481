import { ServiceError } from '../../errors/ServiceError.js'
import type { ProofPayload } from '../../types.js'
import { isTerminal, pollProof } from './pollProof.js'
import type { ServiceApi } from '../createApi.js'

/** Optional second argument of `waitForProof`. */
export interface WaitForProofOptions {
  signal?: AbortSignal
  /** Give up after this long. Default two minutes. Publishing continues regardless. */
  timeoutMs?: number
  /** Called with every answer until then. */
  onProof?: (proof: ProofPayload) => void
  /** Called when a request failed; the next follows four seconds later. */
  onError?: (error: ServiceError) => void
}

/** Resolves with the proof once its state is terminal, failed states included. An unknown slug rejects at once. */
export function waitForProof(api: ServiceApi, slug: string, options: WaitForProofOptions = {}): Promise<ProofPayload> {
  const { signal, timeoutMs = 120_000, onProof, onError } = options
  return new Promise((resolve, reject) => {
    let lastError: ServiceError | undefined
    const end = (finish: () => void) => {
      stop()
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      finish()
    }
    const fail = (code: string, message: string) =>
      end(() => reject(new ServiceError(code, message, { cause: lastError, facts: { slug } })))
    const onAbort = () => fail('aborted', 'Waiting for the proof was stopped.')
    const timer = setTimeout(() => fail('proof_timeout', `The proof was not final after ${timeoutMs} ms.`), timeoutMs)
    const stop = pollProof(
      (abort) => api.getProof(slug, abort),
      (event) => {
        if (event.type === 'error') {
          lastError = event.error
          if (lastError.status === 404) end(() => reject(event.error))
          else onError?.(lastError)
        }
        if (event.type !== 'proof') return
        onProof?.(event.proof)
        if (isTerminal(event.proof.status)) end(() => resolve(event.proof))
      },
    )
    if (signal?.aborted) onAbort()
    else signal?.addEventListener('abort', onAbort)
  })
}
