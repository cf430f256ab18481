import type { SignDigestInput, SignDigestResult } from '@perigee/core/workflow'

type Key = Pick<SignDigestInput, 'walletId' | 'digest'>

export interface Expected {
  /** The signature, once this process has committed it; rejected when this process knows that there will be none. */
  answer: Promise<SignDigestResult>
  forget(): void
}

/**
 * Where callers wait for an answer that may come before the server brings it: from a worker in the same process, or from
 * a notice that the signature is committed; and where they tell such a worker what is coming.
 */
export interface HandOver {
  expect(key: Key): Expected
  /** Whether anybody waits for it here. */
  isExpected(key: Key): boolean
  give(key: Key, result: SignDigestResult): void
  refuse(key: Key, error: unknown): void
  /** Where a worker of this process puts itself, if there is one. */
  early: EarlyWorker
}

/** What a worker does for a caller in its process before the server has brought it the workflow. */
export interface EarlyWorker {
  /** The workflow of this signature is being started: whatever can be undone may begin. */
  begin(input: SignDigestInput): void
  /** The server has stored the workflow and given it to this process. */
  finish(input: SignDigestInput): void
}

interface Waiter {
  resolve(result: SignDigestResult): void
  reject(error: unknown): void
}

export function createHandOver(): HandOver {
  const waiting = new Map<string, Set<Waiter>>()
  const name = ({ walletId, digest }: Key) => `${walletId}/${digest}`
  const each = (key: Key, tell: (waiter: Waiter) => void) => waiting.get(name(key))?.forEach(tell)

  return {
    expect(key) {
      const all = waiting.get(name(key)) ?? new Set()
      waiting.set(name(key), all)
      let waiter: Waiter | undefined
      const answer = new Promise<SignDigestResult>((resolve, reject) => all.add((waiter = { resolve, reject })))
      answer.catch(() => undefined) // it may be refused before, or after, anyone looks
      return {
        answer,
        forget() {
          if (waiter) all.delete(waiter)
          if (all.size === 0 && waiting.get(name(key)) === all) waiting.delete(name(key))
        },
      }
    },
    isExpected: (key) => waiting.has(name(key)),
    give: (key, result) => each(key, ({ resolve }) => resolve(result)),
    refuse: (key, error) => each(key, ({ reject }) => reject(error)),
    early: { begin: () => undefined, finish: () => undefined },
  }
}
