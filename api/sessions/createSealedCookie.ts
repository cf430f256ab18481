import type { CookieOptions, Request, Response } from 'express'
import { sealData, unsealData } from 'iron-session'
import type { ApiSettings, SessionSecret } from '../ApiDeps.js'
import { cacheOpened } from './cacheOpened.js'

export interface CookieSettings {
  name: string
  /** The first one seals, all open. */
  secrets: readonly SessionSecret[]
  sameSite: 'lax' | 'none'
  secure: boolean
  maxAgeSeconds: number
  /** For a cookie that comes with every request. */
  cache?: { ttl: number; max: number }
}

/** `__Host-` binds the cookie to this host, so that a sibling subdomain cannot plant one (ASVS 3.3.3). */
export function cookieName(base: string, secure: boolean): string {
  return secure ? `__Host-${base}` : base
}

/** `SameSite=None` demands Secure. Only `Lax` on plain http, for development, goes without. */
export function usesSecureCookies({ cookieSameSite, publicUrl }: ApiSettings): boolean {
  return cookieSameSite === 'none' || publicUrl.startsWith('https:')
}

/** A cookie that only we can read or make: encrypted and authenticated. That does not mean that its session is live. */
export function createSealedCookie<T extends object>(settings: CookieSettings) {
  const { secrets, maxAgeSeconds: ttl } = settings
  const passwords = (some: readonly SessionSecret[]) => Object.fromEntries(some.map(({ id, secret }) => [id, secret]))
  const [opening, sealing] = [passwords(secrets), passwords(secrets.slice(0, 1))]
  const name = cookieName(settings.name, settings.secure)
  const options: CookieOptions = { httpOnly: true, path: '/', secure: settings.secure, sameSite: settings.sameSite }

  async function unseal(sealed: string): Promise<T | null> {
    try {
      const value = await unsealData<T>(sealed, { password: opening, ttl })
      return Object.keys(value).length > 0 ? value : null // iron-session answers {} for an expired seal
    } catch {
      return null // forged, or sealed with a secret that was removed
    }
  }
  const open = settings.cache ? cacheOpened(unseal, settings.cache) : unseal

  return {
    async read(req: Request): Promise<T | null> {
      const sealed = readCookie(req, name)
      return sealed ? open(sealed) : null
    },
    async write(res: Response, value: T): Promise<void> {
      res.cookie(name, await sealData(value, { password: sealing, ttl }), { ...options, maxAge: ttl * 1000 })
    },
    clear(res: Response): void {
      res.clearCookie(name, options)
    },
  }
}

/** Names and values in the order of the header: browsers send the oldest first (RFC 6265, section 5.4). */
export function cookiesOf(req: Request): { name: string; value: string }[] {
  return (req.get('cookie') ?? '').split(';').map((pair) => {
    const [name = '', value = ''] = pair.trim().split('=', 2)
    return { name, value }
  })
}

function readCookie(req: Request, name: string): string | null {
  const found = cookiesOf(req).find((cookie) => cookie.name === name && cookie.value)
  return found ? decode(found.value) : null
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
