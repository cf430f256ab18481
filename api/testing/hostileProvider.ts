import { createHash, createHmac, createSign, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from '../../tests/rigs/servers/listen.js'

type Claims = Record<string, unknown>

/** What the provider does wrong. Without any of these it is an honest, if small, OpenID provider. */
export interface Misbehaviour {
  callback?: (params: URLSearchParams) => void
  claims?: (claims: Claims) => Claims
  header?: (header: Claims) => Claims
  /** Replaces the signed token. */
  token?: (token: string, keys: { other: KeyObject; secret: string }) => string | undefined
  tokenStatus?: number
}

const b64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

export function signRs256(header: unknown, claims: unknown, key: KeyObject): string {
  const input = `${b64(header)}.${b64(claims)}`
  return `${input}.${createSign('RSA-SHA256').update(input).sign(key, 'base64url')}`
}

export function signHs256(header: unknown, claims: unknown, secret: string | Buffer): string {
  const input = `${b64(header)}.${b64(claims)}`
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
}

/** An OpenID provider that can be told to lie. It signs everyone in as the same person. */
export async function startHostileProvider() {
  const newKeys = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
  const [keys, otherKeys] = [newKeys(), newKeys()]
  const client = { id: 'perigee', secret: randomBytes(16).toString('hex') }
  const requests = new Map<string, URLSearchParams>()
  const state: { misbehaviour: Misbehaviour; lastAuthorization: URLSearchParams | null } = {
    misbehaviour: {},
    lastAuthorization: null,
  }
  const server = createServer()
  const { port, close } = await listen(server)
  const issuer = `http://localhost:${port}`

  const documents: Record<string, unknown> = {
    '/.well-known/openid-configuration': {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      authorization_response_iss_parameter_supported: true,
    },
    '/jwks': { keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid: '1', use: 'sig', alg: 'RS256' }] },
  }

  function idToken(nonce: string | null): string | undefined {
    const { misbehaviour } = state
    const now = Math.floor(Date.now() / 1000)
    const honest: Claims = { iss: issuer, sub: 'person-1', aud: client.id, iat: now, exp: now + 300, nonce }
    const claims = { ...honest, email: 'person@example.test', email_verified: true }
    const header = { alg: 'RS256', kid: '1', ...misbehaviour.header?.({}) }
    const token = signRs256(header, misbehaviour.claims?.(claims) ?? claims, keys.privateKey)
    const secrets = { other: otherKeys.privateKey, secret: client.secret }
    return misbehaviour.token ? misbehaviour.token(token, secrets) : token
  }

  server.on('request', async (req, res) => {
    const url = new URL(req.url ?? '/', issuer)
    const json = (status: number, body: unknown) => {
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (url.pathname in documents) return json(200, documents[url.pathname])
    if (url.pathname === '/authorize') {
      const code = randomBytes(16).toString('hex')
      requests.set(code, url.searchParams)
      state.lastAuthorization = url.searchParams
      const back = new URL(url.searchParams.get('redirect_uri') ?? issuer)
      back.search = new URLSearchParams({ code, state: url.searchParams.get('state') ?? '', iss: issuer }).toString()
      state.misbehaviour.callback?.(back.searchParams)
      return void res.writeHead(302, { location: back.href }).end()
    }
    const form = new URLSearchParams(await text(req))
    const asked = requests.get(form.get('code') ?? '')
    requests.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (!asked || asked.get('code_challenge') !== challenge) return json(400, { error: 'invalid_grant' })
    json(state.misbehaviour.tokenStatus ?? 200, {
      access_token: 'access-token-that-must-not-be-kept',
      token_type: 'Bearer',
      id_token: idToken(asked.get('nonce')),
    })
  })

  return { issuer, client, state, close }
}
export type HostileProvider = Awaited<ReturnType<typeof startHostileProvider>>
