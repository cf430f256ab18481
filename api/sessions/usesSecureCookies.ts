import type { ApiSettings } from '../ApiDeps.js'

/** `SameSite=None` demands Secure. Without it, only plain http, which `parseConfig` allows on localhost alone, goes without. */
export function usesSecureCookies({ cookieSameSite, publicUrl }: ApiSettings): boolean {
  return cookieSameSite === 'none' || publicUrl.startsWith('https:')
}
