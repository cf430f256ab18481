import type { Eip1193Provider } from './createEip1193Provider.js'

/** How a wallet presents itself in a list of wallets (EIP-6963). */
export interface ProviderInfo {
  /** Of this page's visit; made when left out. */
  uuid: string
  name: string
  /** A data URI, at least 96 pixels wide when drawn. */
  icon: string
  /** Reverse DNS, the same on every page. */
  rdns: string
}

const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 32 32" fill="none"><ellipse cx="16" cy="16" rx="14" ry="8" stroke="#4c6ef5" stroke-width="2.5" transform="rotate(-25 16 16)"/><circle cx="18.5" cy="15" r="4.5" fill="#4c6ef5"/></svg>',
)}`

/**
 * Announces the provider by EIP-6963, now and whenever a page asks, so that libraries list this wallet beside installed
 * ones. Returns a function that stops it. On a server it does nothing.
 */
export function announceProvider(provider: Eip1193Provider, given: Partial<ProviderInfo> = {}): () => void {
  if (typeof window === 'undefined') return () => undefined
  const { uuid = crypto.randomUUID(), name = 'Perigee', rdns = 'org.perigee' } = given
  const info: ProviderInfo = Object.freeze({ uuid, name, icon: given.icon ?? icon, rdns })
  const announce = () => {
    const detail = Object.freeze({ info, provider })
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  }
  window.addEventListener('eip6963:requestProvider', announce)
  announce()
  return () => window.removeEventListener('eip6963:requestProvider', announce)
}
