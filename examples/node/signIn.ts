/**
 * Signs in at the development identity provider, which believes any e-mail address, by following its redirects. Returns the
 * session cookie. With a real provider a person signs in once in a browser, and the script is given the cookie.
 */
export async function signIn(apiUrl: string, email: string, returnTo: string): Promise<string> {
  const cookies = new Map<string, Map<string, string>>()
  const query = new URLSearchParams({ login_hint: email, return_to: `${returnTo}/` })
  let url = new URL(`${apiUrl}/auth/dev?${query.toString()}`)
  while (url.origin !== returnTo) {
    const jar = cookies.get(url.origin) ?? new Map<string, string>()
    cookies.set(url.origin, jar)
    const response = await fetch(url, { redirect: 'manual', headers: { cookie: header(jar) } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      jar.set(name, value)
    }
    const next = response.headers.get('location')
    if (next === null) throw new Error(`${url.href} answered ${response.status}`)
    url = new URL(next, url)
  }
  return header(cookies.get(new URL(apiUrl).origin) ?? new Map())
}

const header = (jar: Map<string, string>) =>
  [...jar]
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')
