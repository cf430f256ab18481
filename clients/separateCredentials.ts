/** `fetch` refuses a URL with a password, and errors would show it: it becomes a header. */
export function separateCredentials(address: string): { url: URL; headers: Record<string, string> } {
  const url = new URL(address)
  const { username, password } = url
  url.username = url.password = ''
  if (!username && !password) return { url, headers: {} }
  const plain = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { url, headers: { authorization: `Basic ${Buffer.from(plain).toString('base64')}` } }
}
