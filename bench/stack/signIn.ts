import { Browser } from '../../api/testing/Browser.js'
import type { BenchStack } from './openStack.js'

/** A new session at the API at `url`: the identity provider's redirects to the stack's API go there instead. */
export async function signIn(stack: BenchStack, url: string, email: string, browser = new Browser()): Promise<Browser> {
  const { apiUrl, webUrl } = stack.file
  let at = new URL(`${url}/auth/dev?login_hint=${encodeURIComponent(email)}`)
  for (let hops = 0; hops < 12; hops++) {
    const answer = await browser.fetch(at)
    await answer.arrayBuffer()
    const next = new URL(answer.headers.get('location') ?? '', at)
    if (next.href.startsWith(webUrl)) return browser
    at = new URL(next.href.replace(apiUrl, url))
  }
  throw new Error('the sign-in redirects in circles')
}
