import { ServiceClient } from '@perigee/sdk'
import type { StackFile } from './stack/stackFile.js'

/** Cookies by name, for one host: enough for a script that signs in. */
export class CookieJar {
  readonly #cookies = new Map<string, string>()
  /** Every `Set-Cookie` line as it came, attributes included. */
  readonly lines: string[] = []
  take(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      this.lines.push(line)
      const [, name = '', value = ''] = /^([^=;]*)=([^;]*)/.exec(line) ?? []
      const isGone = value === '' || /;\s*max-age=0|expires=Thu, 01 Jan 1970/i.test(line)
      if (isGone) this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
  }
  header(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }
}

/**
 * Signs in as a script does: follows the redirects through the identity provider, keeping cookies per origin. The
 * session can be one of another API than the one that the identity provider knows: its redirects then go there.
 */
export async function signIn(apiUrl: string, email: string, returnTo: string, at = apiUrl): Promise<CookieJar> {
  const jars = new Map<string, CookieJar>()
  const jarOf = ({ origin }: URL): CookieJar => {
    const jar = jars.get(origin) ?? new CookieJar()
    jars.set(origin, jar)
    return jar
  }
  const query = new URLSearchParams({ login_hint: email, return_to: returnTo })
  let url = new URL(`${at}/auth/dev?${query.toString()}`)
  for (let hops = 0; hops < 12; hops++) {
    const jar = jarOf(url)
    const response = await fetch(url, { redirect: 'manual', headers: { cookie: jar.header() } })
    jar.take(response)
    const location = response.headers.get('location')
    if (location === null) throw new Error(`${url.pathname} answered ${response.status}: ${await response.text()}`)
    url = new URL(new URL(location, url).href.replace(apiUrl, at))
    if (url.href.startsWith(returnTo)) return jarOf(new URL(at))
  }
  throw new Error('sign-in went round in circles')
}

/** What a browser with this session sends to the API. */
export function sessionHeaders(jar: CookieJar, { webUrl }: Pick<StackFile, 'webUrl'>): Record<string, string> {
  return { cookie: jar.header(), origin: new URL(webUrl).origin, 'content-type': 'application/json' }
}

/** A client of the SDK with this session. */
export function clientWith(jar: CookieJar, stack: Pick<StackFile, 'apiUrl' | 'chainId' | 'rpcUrl' | 'webUrl'>) {
  return new ServiceClient({
    apiBaseUrl: stack.apiUrl,
    chainId: stack.chainId,
    rpcUrl: stack.rpcUrl,
    identityProvider: 'dev',
    fetch: (input, init) => fetch(input, { ...init, headers: { ...init?.headers, ...sessionHeaders(jar, stack) } }),
  })
}
