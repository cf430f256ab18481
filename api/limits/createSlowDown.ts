import type { EventEmitter } from 'node:events'

export interface SlowDownSettings {
  /** The least that a refusal takes. */
  firstMs: number
  /** Refusals a second that a caller is answered with, however many wait. */
  perSecond: number
  /** Waiting at once, of one caller and of all. What exceeds it is not slowed: waiting must not fill our memory. */
  mostPerCaller: number
  most: number
}

const usual: SlowDownSettings = { firstMs: 250, perSecond: 20, mostPerCaller: 200, most: 1000 }

/**
 * Who goes on although refused waits for each refusal, the longer the more of theirs are waiting. A client has so many
 * connections and no more, so its flood slows down to this pace, and others do not notice it. Someone with hundreds of
 * connections is for the proxy in front of us to refuse.
 */
export function createSlowDown({ firstMs, perSecond, mostPerCaller, most } = usual) {
  const waitingOf = new Map<string, number>()
  let waiting = 0

  /** Resolves when it is time to refuse, or when `answer` is closed because the client has left. */
  return async (caller: string, answer: Pick<EventEmitter, 'once' | 'off'>): Promise<void> => {
    const before = waitingOf.get(caller) ?? 0
    if (waiting >= most || before >= mostPerCaller) return
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
