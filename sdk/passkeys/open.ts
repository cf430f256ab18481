import type { ServiceApi } from '../client/createApi.js'
import type { AuthorisationMode, WalletOwners } from '../types.js'
import { PasskeyError } from './PasskeyError.js'

/** The page on which passkeys are made and used. */
export interface Site {
  rpId: string
  origin: string
}

/** The service to tell, and the page whose passkeys are used. */
export interface Passkeys {
  api: ServiceApi
  mode: AuthorisationMode
  site: Site
  onChange: ((owners: WalletOwners) => Promise<void>) | undefined
}

/** Throws unless this page may use passkeys, and can. */
export function open(given: Omit<Passkeys, 'site'>, rpId: string | undefined): Passkeys {
  if (given.mode === 'off') throw new PasskeyError('authorisation_required', 'config.authorisation is off: no prompts.')
  const { PublicKeyCredential: supported, navigator, location } = globalThis
  if (supported && navigator?.credentials) {
    return { ...given, site: { rpId: rpId ?? location.hostname, origin: location.origin } }
  }
  throw new PasskeyError('passkey_unsupported', 'This browser, or a page without HTTPS, has no passkeys.')
}
