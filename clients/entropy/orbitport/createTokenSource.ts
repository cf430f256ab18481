import { fetchFromSource, malformed, parseJson, refusal } from '../fetchFromSource.js'
import type { OrbitportAuth } from './config.js'

/** Renewed this long before it expires, so that it does not expire during a request. */
const refreshAheadMs = 60_000

/** The bearer token: a fixed one, or one fetched with client credentials and renewed. Concurrent callers share one request. */
export function createTokenSource(
  source: string,
  auth: OrbitportAuth,
  { timeoutMs, now }: { timeoutMs: number; now: () => number },
) {
  if (auth.kind === 'token') return { get: async () => auth.token, refused: (_token: string) => false }
  const { tokenUrl, clientId, clientSecret, audience } = auth
  let current: { token: string; renewAt: number } | null = null
  let renewal: Promise<string> | null = null

  async function renew(): Promise<string> {
    const answer = await fetchFromSource({
      source,
      url: tokenUrl,
      json: { client_id: clientId, client_secret: clientSecret, audience, grant_type: 'client_credentials' },
      timeoutMs,
      maxBytes: 32 * 1024,
    })
    if (answer.status !== 200) throw refusal(source, answer, now(), 'token')
    const body = parseJson(source, answer.bytes) as { access_token?: unknown; expires_in?: unknown } | null
    const token = body?.access_token
    const seconds = body?.expires_in
    // Only what a header may hold: anything else would be an injection.
    if (typeof token !== 'string' || !/^[\x21-\x7e]{1,8192}$/.test(token)) throw malformed(source, 'no access token')
    if (typeof seconds !== 'number' || !(seconds > 0)) throw malformed(source, 'the token has no lifetime')
    // A token that lives for less than the margin is used for half its life.
    const lifeMs = seconds * 1000
    current = { token, renewAt: now() + Math.max(lifeMs - refreshAheadMs, lifeMs / 2) }
    return token
  }

  return {
    async get(): Promise<string> {
      if (current !== null && now() < current.renewAt) return current.token
      renewal ??= renew().finally(() => (renewal = null))
      return renewal
    },
    /** Drops a token that was refused. True when another one can be fetched. */
    refused(token: string): boolean {
      if (current?.token === token) current = null
      return true
    },
  }
}
