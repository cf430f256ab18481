/** An error's message as one sentence. Errors of viem continue with URLs and versions; these are left out. */
export function wordsOf(error: unknown): string {
  const { shortMessage, message } = Object(error) as { shortMessage?: string; message?: string }
  const text = shortMessage ?? message ?? String(error)
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`
}
