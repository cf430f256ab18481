import { toServiceError, type ServiceError } from '../../errors/ServiceError.js'
import type { ProofPayload, ProofStatus } from '../../types.js'

/** Fixed by the spec: the next request follows this long after the previous response. */
const pollIntervalMs = 4000

export type PollEvent =
  { type: 'loading' } | { type: 'proof'; proof: ProofPayload } | { type: 'error'; error: ServiceError }

/** True when the state will not change without an operator. */
export function isTerminal(status: ProofStatus): boolean {
  return status === 'complete' || status === 'pin_failed' || status === 'onchain_failed'
}

/** Polls at once, then after each answer or error, until the state is terminal. Returns a function that stops it. */
export function pollProof(
  load: (signal: AbortSignal) => Promise<ProofPayload>,
  listener: (event: PollEvent) => void,
): () => void {
  const controller = new AbortController()
  const { signal } = controller
  let timer: ReturnType<typeof setTimeout> | undefined
  const emit = (event: PollEvent) => {
    if (!signal.aborted) listener(event)
  }
  const turn = async () => {
    emit({ type: 'loading' })
    try {
      const proof = await load(signal)
      emit({ type: 'proof', proof })
      if (isTerminal(proof.status)) return
    } catch (error) {
      emit({ type: 'error', error: toServiceError(error) })
    }
    if (!signal.aborted) timer = setTimeout(() => void turn(), pollIntervalMs)
  }
  void turn()
  return () => {
    controller.abort()
    clearTimeout(timer)
  }
}
