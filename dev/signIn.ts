import { ServiceClient } from '@perigee/sdk'
import { Browser } from '../api/testing/Browser.js'
import type { StackFile } from './stack/stackFile.js'

type Urls = Pick<StackFile, 'apiUrl' | 'webUrl'>

/**
 * Signs in as a script does: follows the redirects through the identity provider. The session can be one of another API
 * than the one that the identity provider knows: its redirects then go there.
 */
export async function signIn(apiUrl: string, email: string, returnTo: string, at = apiUrl): Promise<Browser> {
  const browser = new Browser()
  const query = new URLSearchParams({ login_hint: email, return_to: returnTo })
  const toOther = (href: string) => href.replace(apiUrl, at)
  const { url, response } = await browser.navigate(`${at}/auth/dev?${query.toString()}`, returnTo, toOther)
  if (url.href !== returnTo) throw new Error(`the sign-in ended at ${url.href} (${response.status})`)
  return browser
}

/** What a browser with this session sends to the API. */
export function sessionHeaders(browser: Browser, { apiUrl, webUrl }: Urls) {
  return {
    cookie: browser.cookieHeader(new URL(apiUrl)),
    origin: new URL(webUrl).origin,
    'content-type': 'application/json',
  }
}

/** A client of the SDK with this session. */
export function clientWith(browser: Browser, stack: Urls & Pick<StackFile, 'chainId' | 'rpcUrl'>) {
  return new ServiceClient({
    apiBaseUrl: stack.apiUrl,
    chainId: stack.chainId,
    rpcUrl: stack.rpcUrl,
    identityProvider: 'dev',
    fetch: (input, init) => fetch(input, { ...init, headers: { ...init?.headers, ...sessionHeaders(browser, stack) } }),
  })
}
