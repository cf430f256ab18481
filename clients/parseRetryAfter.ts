/** The header `Retry-After` in seconds. It holds seconds or a date; null for anything else, and without the header. */
export function parseRetryAfter(header: string | null | undefined, nowMs: number): number | null {
  if (!header) return null
  if (/^[0-9]+$/.test(header)) return Number(header)
  const date = Date.parse(header)
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - nowMs) / 1000))
}
