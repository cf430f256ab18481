import { createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { toHex } from '@perigee/core'
import type { EntropyKey } from '@perigee/core/entropy'
import { listen } from '../../../tests/rigs/servers/listen.js'

export const clientId = 'client-1'
export const clientSecret = 'client-secret-1'
const tokenSeconds = 3600

type Fault = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

/**
 * A gateway that speaks Orbitport's protocol: an OAuth token endpoint, the REST call with a P-256 signature in DER over
 * the value, and the JSON-RPC call without any. Tokens expire and are checked. `fault` answers in its place, `times` often.
 */
export async function startOrbitport({ signed = true } = {}) {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'der' })
  const tokens = new Map<string, number>()
  const state = {
    tokenRequests: 0,
    dataRequests: 0,
    fault: null as Fault | null,
    times: 0,
    tokenDelayMs: 0,
    lastUrl: '',
  }

  const json = (response: ServerResponse, status: number, body: unknown): void =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

  function newToken(): string {
    const token = randomBytes(24).toString('base64url')
    tokens.set(token, Date.now() + tokenSeconds * 1000)
    return token
  }

  async function token(body: Record<string, unknown>, response: ServerResponse): Promise<void> {
    state.tokenRequests += 1
    await sleep(state.tokenDelayMs)
    const known = body.client_id === clientId && body.client_secret === clientSecret
    if (!known || body.grant_type !== 'client_credentials' || typeof body.audience !== 'string') {
      const error_description = `no such client ${String(body.client_secret)}`
      return json(response, 401, { error: 'access_denied', error_description })
    }
    const access_token = newToken()
    json(response, 200, { access_token, expires_in: tokenSeconds, token_type: 'Bearer' })
  }

  function data(request: IncomingMessage, body: Record<string, unknown>, response: ServerResponse): void {
    const bearer = request.headers.authorization?.replace(/^Bearer /, '') ?? ''
    if ((tokens.get(bearer) ?? 0) < Date.now()) return json(response, 401, { message: 'Unauthorized' })
    if (request.url?.startsWith('/api/v1/services/trng')) {
      const value = randomBytes(32)
      const signature = signed ? sign('sha256', value, privateKey).toString('hex') : ''
      const src = signed ? 'aptosorbital' : 'derived'
      const tail = { signature: { value: signature, pk: '', algo: '' } }
      return json(response, 200, { service: 'trng', src, data: value.toString('hex'), ...tail })
    }
    const params = body.params as { chunks?: number } | undefined
    const chunks = params?.chunks ?? 0
    if (body.method !== 'ctrng.Get' || chunks < 1 || chunks > 10) {
      return json(response, 200, { jsonrpc: '2.0', id: body.id, error: { code: -32602, message: 'Invalid params' } })
    }
    const items = Array.from({ length: chunks }, () => ({ value: randomBytes(32).toString('hex'), src: 'mixed' }))
    json(response, 200, { jsonrpc: '2.0', id: body.id, result: { items } })
  }

  const peer = await listen(async (request, response) => {
    const body = JSON.parse((await text(request)) || '{}') as Record<string, unknown>
    if (request.url === '/oauth/token') return token(body, response)
    state.dataRequests += 1
    state.lastUrl = request.url ?? ''
    if (state.fault !== null && state.times > 0) {
      state.times -= 1
      return state.fault(request, response)
    }
    data(request, body, response)
  })
  const key: EntropyKey = {
    source: 'orbitport',
    algorithm: 'ecdsa-p256-sha256',
    publicKey: toHex(spki),
    signedBytes: 'value',
    shows: 'satellite-signature-verified',
    validFrom: 0,
    validTo: null,
  }
  return {
    ...peer,
    state,
    key,
    /** A token issued beforehand. */
    issue: newToken,
    revokeAll: () => tokens.clear(),
    fail(fault: Fault, times = Infinity): void {
      state.fault = fault
      state.times = times
    },
  }
}
export type TestOrbitport = Awaited<ReturnType<typeof startOrbitport>>
