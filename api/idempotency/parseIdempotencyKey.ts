import { ServiceError } from '@perigee/core'

/** The same rule as a pattern, for the documentation. */
export const idempotencyKeyPattern = '^(?:"(?:[ !#-\\[\\]-~]|\\\\["\\\\]){1,255}"|[!#-+\\--\\[\\]-~]{1,255})$'

/** The key of an `Idempotency-Key` header: a structured-field string ("…", RFC 9651), or the same without quotes. */
export function parseIdempotencyKey(header: string | undefined): string | null {
  if (header === undefined) return null
  const quoted = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\]){1,255})"$/.exec(header.trim())
  if (quoted) return (quoted[1] as string).replace(/\\(["\\])/g, '$1')
  if (/^[\x21\x23-\x2b\x2d-\x5b\x5d-\x7e]{1,255}$/.test(header)) return header
  throw new ServiceError(
    'invalid_request',
    'Idempotency-Key must be 1 to 255 visible characters, best in double quotes',
  )
}
