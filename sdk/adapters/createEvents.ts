import { tell } from '../client/signing/tell.js'

type Listener = (...args: never[]) => void

/** The events of one provider. */
export function createEvents() {
  const listeners = new Map<string, Set<Listener>>()
  return {
    emit(event: string, value: unknown): void {
      for (const listener of listeners.get(event) ?? []) tell(listener as (value: unknown) => void, value)
    },
    on(event: string, listener: Listener): void {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
    },
    removeListener(event: string, listener: Listener): void {
      listeners.get(event)?.delete(listener)
    },
  }
}
