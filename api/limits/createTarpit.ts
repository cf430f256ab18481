import type { EventEmitter } from 'node:events'

export const usualTarpit = {
  /** Every refusal waits at least this long. */
  firstMs: 250,
  /** Refusals a second that one caller gets, however many are waiting. */
  perSecond: 2,
  /** Refusals waiting at once, for one caller and in all. Beyond that they are sent at once, to bound memory. */
  maxPerCaller: 200,
  max: 1000,
}

/**
 * Delays the refusals of a caller over its limit: the more of them wait, the longer each takes. A client has a limited
 * number of connections, so its flood slows to this pace and others do not notice. Clients with hundreds of connections
 * are for the proxy in front to refuse.
 */
export function createTarpit({ firstMs, perSecond, maxPerCaller, max } = usualTarpit) {
  const waitingOf = new Map<string, number>()
  let waiting = 0

  /** Resolves when it is time to refuse, or when the client has closed `answer`. */
  return async (caller: string, answer: Pick<EventEmitter, 'once' | 'off'>): Promise<void> => {
    const before = waitingOf.get(caller) ?? 0
    if (waiting >= max || before >= maxPerCaller) return
    waitingOf.set(caller, before + 1)
    waiting += 1
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer)
        answer.off('close', end)
        resolve()
      }
      const timer = setTimeout(end, Math.max(firstMs, (before * 1000) / perSecond))
      answer.once('close', end)
    })
    waiting -= 1
    const left = (waitingOf.get(caller) ?? 1) - 1
    if (left > 0) waitingOf.set(caller, left)
    else waitingOf.delete(caller)
  }
}
