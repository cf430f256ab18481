import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { PayloadCodec } from '@temporalio/common'
import proto from '@temporalio/proto' // CommonJS without named exports that Node can see

const { Payloads } = proto.temporal.api.common.v1
const maxBytes = 4 * 1024 * 1024
const cookieName = 'perigee_codec'

export interface CodecServerOptions {
  codec: PayloadCodec
  uiOrigin: string
  token: string
}

/**
 * Shows payloads in clear to the Temporal UI and CLI of whoever has the token: `POST /decode` and `/encode`, as Temporal's
 * codec protocol says. The token comes as `Bearer`, or as the password of Basic, which a browser asks for at `GET /`. There
 * it gets a cookie, because browsers do not send a password to another origin's server: the cookie goes to this one from
 * pages of the same site alone, and is worth nothing when the server has ended. Nothing is logged: all that passes is secret.
 */
export function createCodecServer({ codec, uiOrigin, token }: CodecServerOptions): Server {
  const expected = sha256(token)
  const session = randomBytes(32).toString('hex')
  const cookie = `${cookieName}=${session}; HttpOnly; SameSite=Strict; Path=/${uiOrigin.startsWith('https:') ? '; Secure' : ''}`
  const isKnown = ({ headers }: IncomingMessage) =>
    timingSafeEqual(sha256(tokenIn(headers.authorization)), expected) ||
    timingSafeEqual(sha256(sessionIn(headers.cookie)), sha256(session))

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.headers.origin === uiOrigin) {
      response.setHeader('Access-Control-Allow-Origin', uiOrigin)
      response.setHeader('Access-Control-Allow-Credentials', 'true')
      response.setHeader('Access-Control-Allow-Headers', 'content-type, x-namespace, authorization')
      response.setHeader('Access-Control-Allow-Methods', 'POST')
      response.setHeader('Vary', 'Origin')
    }
    response.setHeader('Cache-Control', 'no-store')
    if (request.method === 'OPTIONS') return void response.writeHead(204).end()
    if (!isKnown(request)) {
      return void response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="Perigee payload codec"' }).end()
    }
    const [path = ''] = (request.url ?? '').split('?') // the UI asks for `/decode?preserveStorageRefs=true`
    if (request.method === 'GET' && path === '/') {
      return void response.writeHead(200, { 'Set-Cookie': cookie }).end('signed in\n')
    }
    const operation = request.method === 'POST' && { '/decode': 'decode', '/encode': 'encode' }[path]
    if (operation !== 'decode' && operation !== 'encode') return void response.writeHead(404).end()
    const body = await read(request)
    if (body === null) return void response.writeHead(413).end()
    try {
      const { payloads } = Payloads.fromObject(JSON.parse(body) as object)
      const done = Payloads.create({ payloads: await codec[operation](payloads) })
      response.writeHead(200, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify(Payloads.toObject(done, { bytes: String })))
    } catch {
      response.writeHead(400).end() // not payloads, a key we do not have, or ciphertext that was changed
    }
  }

  return createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
}

function tokenIn(authorization = ''): string {
  const [scheme, value = ''] = authorization.split(' ')
  if (scheme === 'Bearer') return value
  const [, ...password] = Buffer.from(value, 'base64').toString('utf8').split(':')
  return scheme === 'Basic' ? password.join(':') : ''
}

function sessionIn(cookies = ''): string {
  const found = cookies.split('; ').find((one) => one.startsWith(`${cookieName}=`))
  return found?.slice(cookieName.length + 1) ?? ''
}

const sha256 = (text: string) => createHash('sha256').update(text).digest()

async function read(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > maxBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
