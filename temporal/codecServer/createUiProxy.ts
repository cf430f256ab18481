import { request, type IncomingHttpHeaders } from 'node:http'
import { pipeline } from 'node:stream'
import type { Request, RequestHandler, Response } from 'express'

export interface UiProxyOptions {
  /** The Temporal UI, on a network that only this server shares with it. */
  upstream: string
  /** Our own public origin; the UI's pages have it too. */
  publicUrl: string
  isSignedIn(req: Request, res: Response): Promise<boolean>
}

/** Of one connection, not of the message (RFC 9110, section 7.6.1). */
const hopByHop = ['connection', 'keep-alive', 'proxy-authorization', 'te', 'trailer', 'transfer-encoding', 'upgrade']

/**
 * The Temporal UI for signed-in operators only: the UI itself lets everyone act who reaches it. What changes something
 * must come from our own pages, because the browser adds the cookie for any page.
 */
export function createUiProxy({ upstream, publicUrl, isSignedIn }: UiProxyOptions): RequestHandler {
  return async (req, res) => {
    const safe = req.method === 'GET' || req.method === 'HEAD'
    if (!safe && req.headers.origin !== publicUrl) return void res.status(403).end()
    if (!(await isSignedIn(req, res))) return void (safe ? res.redirect(303, '/') : res.status(401).end())
    const { protocol, hostname, port } = new URL(upstream)
    const headers = {
      ...withoutHops(req.headers),
      cookie: foreignCookies(req.headers.cookie),
      host: `${hostname}:${port}`,
    }
    const sent = request({ protocol, hostname, port, method: req.method, path: req.originalUrl, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, { ...withoutHops(answer.headers), 'cache-control': 'no-store' })
      pipeline(answer, res, () => undefined) // a browser that leaves ends both
    })
    sent.on('error', () => (res.headersSent ? res.destroy() : res.status(502).end()))
    pipeline(req, sent, () => undefined)
  }
}

function withoutHops(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.includes(name)))
}

/** Our session is not the UI's business. */
function foreignCookies(header = ''): string {
  const cookies = header.split(';').map((cookie) => cookie.trim())
  return cookies.filter((cookie) => cookie && !/^(?:__Host-)?perigee_/.test(cookie)).join('; ')
}
