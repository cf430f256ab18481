import type { RequestHandler } from 'express'
import { ServiceError } from '@perigee/core'
import { isJsonContentType } from '../readJson.js'

/**
 * Guards every unsafe method, with or without a body (ASVS 3.5.1, 3.5.2). A page of another origin can make a browser
 * send our cookie, but it cannot set `Origin`, and it cannot send JSON without a preflight that we refuse.
 */
export function createRefuseForgery(origins: readonly string[], sameSite: 'lax' | 'none'): RequestHandler {
  const allowedOrigins = new Set(origins)
  // With SameSite=None the web app may be on another site, and then its origin alone decides.
  const allowedSites = new Set(['same-origin', 'same-site', ...(sameSite === 'none' ? ['cross-site'] : [])])
  return (req, res, next) => {
    res.vary('Sec-Fetch-Site')
    const origin = req.get('origin')
    if (origin === undefined || !allowedOrigins.has(origin)) {
      throw new ServiceError('origin_not_allowed', 'send an Origin header that is on the allow-list (WEB_ORIGINS)')
    }
    const site = req.get('sec-fetch-site')
    if (site !== undefined && !allowedSites.has(site)) {
      throw new ServiceError('origin_not_allowed', 'the browser says that this request comes from another site')
    }
    if (!isJsonContentType(req.get('content-type'))) {
      throw new ServiceError('unsupported_media_type', 'send content-type: application/json, without a body too')
    }
    next()
  }
}
