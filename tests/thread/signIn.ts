/** Cookies by name, for one host: enough for a script that signs in. */
export class CookieJar {
  readonly #cookies = new Map<string, string>()
  /** Every `Set-Cookie` line as it came, attributes included. */
  readonly lines: string[] = []
  take(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      this.lines.push(line)
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      const value = pair.slice(at + 1)
      if (value === '' || /;\s*max-age=0/i.test(line) || /expires=Thu, 01 Jan 1970/i.test(line)) {
        this.#cookies.delete(pair.slice(0, at))
      } else this.#cookies.set(pair.slice(0, at), value)
    }
  }
  header(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }
}

/** Signs in as a script does: follows the redirects through the identity provider, keeping cookies per origin. */
export async function signIn(apiUrl: string, email: string, returnTo: string): Promise<CookieJar> {
  const jars = new Map<string, CookieJar>()
  const jarOf = (url: URL): CookieJar => {
    const jar = jars.get(url.origin) ?? new CookieJar()
    jars.set(url.origin, jar)
    return jar
  }
  const query = new URLSearchParams({ login_hint: email, return_to: returnTo })
  let url = new URL(`${apiUrl}/auth/dev?${query.toString()}`)
  for (let hops = 0; hops < 12; hops++) {
    const jar = jarOf(url)
    const response = await fetch(url, { redirect: 'manual', headers: { cookie: jar.header() } })
    jar.take(response)
    const location = response.headers.get('location')
    if (location === null) throw new Error(`${url.pathname} answered ${response.status}: ${await response.text()}`)
    url = new URL(location, url)
    if (url.href.startsWith(returnTo)) return jarOf(new URL(apiUrl))
  }
  throw new Error('sign-in went round in circles')
}
