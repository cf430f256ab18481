/**
 * Calls the application's own callback. What that throws is reported like any uncaught error and changes nothing here:
 * a sent transaction must not look like a failed one.
 */
export function tell<T>(callback: ((value: T) => void) | undefined, value: T): void {
  try {
    callback?.(value)
  } catch (error) {
    const { reportError = console.error } = globalThis // Node has none, and would end the process for a thrown one
    reportError(error)
  }
}
