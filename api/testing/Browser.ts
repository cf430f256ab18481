interface Cookie {
  name: string
  value: string
  attributes: string[]
}

/** Where the web app is, for browsers of tests. */
export const webOrigin = 'http://localhost:5173'

/** Enough of a browser for sign-ins: keeps cookies per host name and follows redirects up to a given URL. */
export class Browser {
  /** By host name: cookies ignore ports. */
  readonly cookies = new Map<string, Map<string, Cookie>>()
  /** Every `Set-Cookie` line as it came. */
  readonly lines: string[] = []

  async fetch(url: string | URL, init: RequestInit = {}): Promise<Response> {
    const target = new URL(url)
    const headers = new Headers(init.headers)
    const cookie = this.cookieHeader(target)
    if (cookie && !headers.has('cookie')) headers.set('cookie', cookie)
    const response = await fetch(target, { ...init, headers, redirect: 'manual' })
    this.take(response, target)
    return response
  }

  /** Keeps the cookies of an answer from this address. */
  take(response: Response, { hostname }: URL): void {
    for (const line of response.headers.getSetCookie()) this.store(hostname, line)
  }

  /** Follows redirects to the final answer, or up to a redirect to `stopAt`, which is not fetched. `moved` may change where one leads. */
  async navigate(url: string | URL, stopAt: string, moved = (href: string) => href) {
    let at = new URL(url)
    const visited = [at]
    for (let hops = 0; hops < 12; hops++) {
      const response = await this.fetch(at)
      const location = response.headers.get('location')
      if (!location) return { url: at, response, visited }
      await response.arrayBuffer()
      at = new URL(moved(new URL(location, at).href))
      visited.push(at)
      if (at.href.startsWith(stopAt)) return { url: at, response, visited }
    }
    throw new Error('too many redirects')
  }

  /** Signs a person in at the development identity provider, as from the web app. */
  async signIn(apiUrl: string, email: string): Promise<this> {
    const start = `${apiUrl}/auth/dev?login_hint=${encodeURIComponent(email)}`
    const { url } = await this.navigate(start, webOrigin)
    if (url.href !== `${webOrigin}/`) throw new Error(`sign-in ended at ${url.href}`)
    return this
  }

  /** As the web app would send it. */
  post(url: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return this.fetch(url, {
      method: 'POST',
      headers: { origin: webOrigin, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  }

  cookieHeader(url: URL): string {
    return [...(this.cookies.get(url.hostname)?.values() ?? [])].map(({ name, value }) => `${name}=${value}`).join('; ')
  }

  cookie(hostname: string, name: string): Cookie | undefined {
    return this.cookies.get(hostname)?.get(name)
  }

  /** Another browser with the same cookies, as a thief would have. */
  copy(): Browser {
    const thief = new Browser()
    for (const [host, jar] of this.cookies) thief.cookies.set(host, new Map(jar))
    return thief
  }

  private store(hostname: string, line: string): void {
    this.lines.push(line)
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
    const name = pair.slice(0, pair.indexOf('='))
    const jar = this.cookies.get(hostname) ?? new Map<string, Cookie>()
    this.cookies.set(hostname, jar)
    const expires = attributes.find((attribute) => /^expires=/i.test(attribute))?.slice(8)
    if (expires && new Date(expires).getTime() <= Date.now()) jar.delete(name)
    else jar.set(name, { name, value: pair.slice(pair.indexOf('=') + 1), attributes })
  }
}
