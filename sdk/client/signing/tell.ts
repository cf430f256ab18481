/**
 * Calls the application's own callback. What it throws, or rejects with later, is reported like any uncaught error and
 * changes nothing here: a sent transaction must not look like a failed one.
 */
export function tell<T>(callback: ((value: T) => void) | undefined, value: T): void {
  const { reportError = console.error } = globalThis // Node has none, and would end the process for an error nobody catches
  void (async () => callback?.(value))().catch(reportError)
}
