import type { IncomingMessage, ServerResponse } from 'node:http'
import type { OwnersChange } from '../types.js'
import type { createAccounts } from './createAccounts.js'
import type { MemoryChain } from './chain/createMemoryChain.js'
import type { createMessageSigner } from './createMessageSigner.js'
import type { createProofs } from './createProofs.js'
import { Problem } from './Problem.js'

export interface RoutesDeps {
  accounts: ReturnType<typeof createAccounts>
  signMessage: ReturnType<typeof createMessageSigner>
  proofs: ReturnType<typeof createProofs>
  chain: MemoryChain
  requests: string[]
  origins: readonly string[] | undefined
}

interface Answer {
  status?: number
  headers?: Record<string, string>
  body?: unknown
}

/** The service's routes over `node:http`. With `refusal`, every request is answered by it. */
export function createRoutes({ accounts, signMessage, proofs, chain, requests, origins }: RoutesDeps) {
  async function dispatch(request: IncomingMessage, path: string, query: URLSearchParams): Promise<Answer> {
    const method = request.method ?? 'GET'
    const session = /(?:^|;\s*)perigee_session=([^;]+)/.exec(request.headers.cookie ?? '')?.[1]
    const [, first, second] = path.split('/')
    if (method === 'POST' && first === 'rpc') return rpc(await readJson(request))
    if (method === 'POST' && request.headers.origin === undefined) {
      throw new Problem(403, 'origin_not_allowed', 'Send an Origin header that is on the allow-list.')
    }
    if (method === 'POST' && !request.headers['content-type']?.startsWith('application/json')) {
      throw new Problem(415, 'unsupported_media_type', 'Unsafe requests must be JSON.')
    }
    switch (`${method} ${path}`) {
      case 'GET /auth/me':
        return { body: accounts.userOf(session) }
      case 'POST /auth/logout':
        accounts.signOut(session ?? '')
        return { status: 204, headers: { 'set-cookie': `perigee_session=; Path=/; Max-Age=0` } }
      case 'GET /wallet/me':
        return { body: accounts.walletOf(accounts.userOf(session)).info }
      case 'POST /wallet/provision': {
        const user = accounts.userOf(session)
        const change = await readJson(request, true)
        return { body: (await accounts.provision(user, change as OwnersChange | undefined)).info }
      }
      case 'GET /wallet/owners':
        return { body: await accounts.ownersOf(accounts.userOf(session)) }
      case 'POST /wallet/owners':
        return {
          body: await accounts.changeOwners(accounts.userOf(session), (await readJson(request)) as OwnersChange),
        }
      case 'POST /sign/digest': {
        const user = accounts.userOf(session)
        return { body: await accounts.signDigest(user, Object(await readJson(request)), proofs.add) }
      }
      case 'POST /sign/message': {
        const wallet = accounts.walletOf(accounts.userOf(session))
        const pages = origins ?? [String(request.headers.origin)]
        return { body: await signMessage(wallet, Object(await readJson(request)), pages, proofs.add) }
      }
    }
    if (method === 'GET' && first === 'auth' && second) return signIn(query)
    if (method === 'GET' && first === 'proof' && second) {
      const body = await proofs.read(decodeURIComponent(second))
      if (!body) throw new Problem(404, 'proof_not_found', 'No proof has this name.')
      return { body }
    }
    const file = first === 'ipfs' && second ? proofs.file(second) : undefined
    if (file !== undefined) return { headers: { 'content-type': 'application/octet-stream' }, body: file }
    throw new Problem(404, 'not_found', 'No such route.')
  }

  /** Any e-mail address is believed, as at the development identity provider. */
  function signIn(query: URLSearchParams): Answer {
    const session = accounts.signIn(query.get('login_hint') ?? 'ada@example.test')
    const cookie = `perigee_session=${session}; Path=/; HttpOnly; SameSite=Lax`
    return { status: 302, headers: { 'set-cookie': cookie, location: query.get('return_to') ?? '/auth/me' } }
  }

  async function rpc(body: unknown): Promise<Answer> {
    const { id, method, params = [] } = Object(body) as { id?: unknown; method: string; params?: unknown[] }
    requests.push(`RPC ${method}`)
    try {
      return { body: { jsonrpc: '2.0', id, result: await chain.call(method, params) } }
    } catch (error) {
      return { body: { jsonrpc: '2.0', id, error: { code: -32000, message: (error as Error).message } } }
    }
  }

  function corsHeaders(origin: string | undefined): Record<string, string> {
    if (origin === undefined || (origins && !origins.includes(origin))) return {}
    return {
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers': 'content-type, accept, idempotency-key',
      'access-control-allow-methods': 'GET, POST, OPTIONS',
      'access-control-expose-headers': 'retry-after, x-request-id',
      vary: 'origin',
    }
  }

  return async (request: IncomingMessage, response: ServerResponse, refusal?: Problem): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const cors = corsHeaders(request.headers.origin)
    let answer: Answer
    try {
      if (refusal) throw refusal
      if (request.headers.origin && !cors.vary) {
        throw new Problem(403, 'origin_not_allowed', 'This origin is not on the allow-list.')
      }
      answer = request.method === 'OPTIONS' ? { status: 204 } : await dispatch(request, url.pathname, url.searchParams)
    } catch (error) {
      answer = problemAnswer(error)
    }
    const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...cors, ...answer.headers })
    response.end(text)
  }
}

function problemAnswer(error: unknown): Answer {
  const problem = error instanceof Problem ? error : new Problem(500, 'internal_error', String(error))
  const { status, code, message: detail, retryAfterSeconds, facts } = problem
  const requestId = crypto.randomUUID()
  const body = { type: 'about:blank', title: code, status, code, detail, requestId, ...(facts && { facts }) }
  const headers: Record<string, string> = { 'content-type': 'application/problem+json', 'x-request-id': requestId }
  if (retryAfterSeconds !== undefined) headers['retry-after'] = String(retryAfterSeconds)
  return { status, headers, body }
}

async function readJson(request: IncomingMessage, mayBeEmpty = false): Promise<unknown> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  if (mayBeEmpty && text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw new Problem(400, 'invalid_request', 'The body is not JSON.')
  }
}
