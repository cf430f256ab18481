import { z } from 'zod'
import { ServiceError } from '@perigee/core'

const maxLength = 2048
const errorParameter = 'sign_in_error'

/**
 * Where the browser goes after signing in: an absolute URL whose origin is on the list, or the first app's front page.
 * The value is attacker-controlled (anyone can send a link to `/auth/google?return_to=…`), so nothing is repaired: text
 * that two URL parsers could read differently is refused, and the parsed URL is used, never the text.
 */
export function parseReturnTo(value: unknown, webOrigins: readonly string[]): string {
  if (value === undefined) return `${webOrigins[0]}/`
  if (typeof value !== 'string' || value.length > maxLength || !/^https?:\/\/[^\\\s]+$/.test(value)) throw refused()
  for (const char of value) if (char < '!' || char > '~') throw refused()
  const url = URL.canParse(value) ? new URL(value) : null
  if (!url || url.username || url.password || !webOrigins.includes(url.origin)) throw refused()
  // The text must name the origin as the list does: no userinfo, default port, dot segment or escape in the host.
  if (!value.startsWith(url.origin) || !/^(?:[/?#]|$)/.test(value.slice(url.origin.length))) throw refused()
  // The page may still have the error of an earlier attempt in its address. Only this attempt may say that it failed.
  if (url.searchParams.has(errorParameter)) url.searchParams.delete(errorParameter)
  return url.href
}

/** The same rule as a schema, for the documentation. */
export function returnToSchema(webOrigins: readonly string[]): z.ZodString {
  const origins = webOrigins.map((origin) => origin.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
  return z
    .string()
    .max(maxLength)
    .regex(new RegExp(`^(?:${origins})(?:[/?#][!-\\[\\]-~]*)?$`))
}

function refused(): ServiceError {
  return new ServiceError('return_to_not_allowed', 'return_to must be a URL on an allow-listed origin (WEB_ORIGINS)')
}

/** The address with `?sign_in_error=<code>`, which the app can show. */
export function withSignInError(returnTo: string, code: string): string {
  const url = new URL(returnTo)
  url.searchParams.set(errorParameter, code)
  return url.href
}
