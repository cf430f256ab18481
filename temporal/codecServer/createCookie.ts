import type { CookieOptions, Request, Response } from 'express'
import { sealData, unsealData } from 'iron-session'

export interface CookieSettings {
  name: string
  password: string
  secure: boolean
  sameSite: 'lax' | 'none'
  maxAgeSeconds: number
}

/** A sealed cookie: encrypted, authenticated, and with an expiry inside the seal. */
export function createCookie<T extends object>({ password, secure, sameSite, ...settings }: CookieSettings) {
  const name = secure ? `__Host-${settings.name}` : settings.name
  const seal = { password, ttl: settings.maxAgeSeconds }
  const options: CookieOptions = { httpOnly: true, path: '/', secure, sameSite }
  return {
    async read(req: Request): Promise<T | null> {
      const pair = (req.headers.cookie ?? '').split('; ').find((one) => one.startsWith(`${name}=`))
      if (!pair) return null
      try {
        // iron-session answers {} for a seal that it cannot open or that has expired.
        const value = await unsealData<T>(decodeURIComponent(pair.slice(name.length + 1)), seal)
        return Object.keys(value).length > 0 ? value : null
      } catch {
        return null // anyone can send anything as a cookie
      }
    },
    async write(res: Response, value: T): Promise<void> {
      res.cookie(name, await sealData(value, seal), { ...options, maxAge: seal.ttl * 1000 })
    },
    clear(res: Response): void {
      res.clearCookie(name, options)
    },
  }
}
