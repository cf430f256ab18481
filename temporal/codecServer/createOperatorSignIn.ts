import { createHash, randomBytes } from 'node:crypto'
import { Router, urlencoded, type Request, type RequestHandler, type Response } from 'express'
import { getIronSession } from 'iron-session'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { ServiceError } from '@perigee/core/errors'
import type { OperatorIdentity } from '@perigee/core/config'
import type { SignInConfig } from './config.js'
import { createOidcClients, type Transaction } from './createOidcClients.js'
import { signedInPage, signInPage, tokenPage } from './pages.js'

const transactionSeconds = 600
const maxSessions = 1_000

/**
 * Signs operators in by OIDC. Sessions live in memory: signing out ends one at once, a copied cookie included, and a
 * restart ends all. The seal's password is the process's own, so there is no secret to configure.
 */
export function createOperatorSignIn(config: SignInConfig, log: Logger) {
  const { publicUrl, operators, sessionSeconds } = config
  const clients = createOidcClients(config.providers)
  /** Sessions and tokens by their hash. A token is no operator: it names the session that it belongs to and ends with. */
  const sessions = new LRUCache<string, OperatorIdentity | string>({ max: maxSessions, ttl: sessionSeconds * 1000 })
  const password = randomBytes(32).toString('base64url')
  const secure = publicUrl.startsWith('https:')
  const cookie = <T extends object>(name: string, ttl: number, sameSite: 'lax' | 'none') => {
    const cookieName = secure ? `__Host-${name}` : name
    const options = { cookieName, password, ttl, cookieOptions: { secure, sameSite } }
    const open = (req: Request, res: Response) => getIronSession<Partial<T>>(req, res, options)
    // Anyone can send anything as a cookie: one that is no seal counts as none.
    return (req: Request, res: Response) => open(req, res).catch(() => open({ headers: {} } as Request, res))
  }
  // The way back from the provider is a top-level GET.
  const transactionCookie = cookie<Transaction>('perigee_codec_sign_in', transactionSeconds, 'lax')
  // The UI calls from another origin, perhaps another site. Browsers take None only with Secure.
  const sessionCookie = cookie<{ id: string }>('perigee_codec', sessionSeconds, secure ? 'none' : 'lax')
  const callbackUrl = (provider: string) => `${publicUrl}/sign-in/${provider}/callback`

  function create(session: OperatorIdentity | string): string {
    const id = randomBytes(32).toString('base64url')
    sessions.set(hash(id), session)
    return id
  }

  async function finishSignIn(req: Request, res: Response): Promise<void> {
    const provider = String(req.params['provider'])
    const kept = await transactionCookie(req, res)
    const transaction = { ...kept } as Transaction
    kept.destroy()
    if (transaction.provider !== provider) {
      throw new ServiceError('sign_in_expired', 'this sign-in has expired or belongs to another browser')
    }
    const callback = new URL(callbackUrl(provider))
    callback.search = new URL(req.originalUrl, publicUrl).search
    const identity = await clients.exchangeCode(callback, transaction)
    const who = { provider, operator: hash(`${identity.issuer} ${identity.subject}`).slice(0, 16) }
    if (!operators.some(({ issuer, subject }) => issuer === identity.issuer && subject === identity.subject)) {
      log.warn(who, 'refused a sign-in: not an operator')
      throw new ServiceError('operator_only', 'only operators may read payloads')
    }
    const session = await sessionCookie(req, res)
    session.id = create(identity)
    await session.save()
    log.info(who, 'an operator signed in')
    res.redirect(303, '/')
  }

  /** The hash of the browser's session, or null. */
  async function findSession(req: Request, res: Response): Promise<string | null> {
    const { id } = await sessionCookie(req, res)
    return id !== undefined && typeof sessions.get(hash(id)) === 'object' ? hash(id) : null
  }

  /** By the cookie, or by a token whose session lives. The caller decides what other sites may cause. */
  async function isSignedIn(req: Request, res: Response): Promise<boolean> {
    const [, token] = /^Bearer ([\w-]{43})$/.exec(req.headers.authorization ?? '') ?? []
    if (token === undefined) return (await findSession(req, res)) !== null
    const session = sessions.get(hash(token))
    return typeof session === 'string' && sessions.has(session)
  }

  /** Our own pages post to us; no other page may, whatever cookies the browser adds. */
  const requireOwnOrigin: RequestHandler = (req, _res, next) => {
    if (req.headers.origin !== publicUrl) throw new ServiceError('origin_not_allowed', 'post from our own page only')
    next()
  }

  const routes = Router()
  routes.get('/', async (req, res) => {
    const signedIn = await isSignedIn(req, res)
    res.type('html').send(signedIn ? signedInPage(config.uiUpstream !== null) : signInPage(clients.names))
  })
  routes.get('/sign-in/:provider', async (req, res) => {
    const provider = String(req.params['provider'])
    const { url, transaction } = await clients.startSignIn(provider, callbackUrl(provider), req.query['login_hint'])
    await Object.assign(await transactionCookie(req, res), transaction).save()
    res.redirect(302, url)
  })
  routes.get('/sign-in/:provider/callback', finishSignIn)
  routes.post('/sign-out', requireOwnOrigin, urlencoded(), async (req, res) => {
    const session = await findSession(req, res)
    if (session) sessions.delete(session)
    const kept = await sessionCookie(req, res)
    kept.destroy()
    res.redirect(303, '/')
  })
  routes.post('/token', requireOwnOrigin, urlencoded(), async (req, res) => {
    const session = await findSession(req, res)
    if (!session) throw new ServiceError('not_signed_in', 'sign in first')
    res.type('html').send(tokenPage(publicUrl, create(session)))
  })

  const requireOperator: RequestHandler = async (req, res, next) => {
    // A cookie comes along with any page's request, so only a page of the UI may use it (createCors has compared the
    // origin). A token is added on purpose, by the CLI, which has no origin.
    if (!req.headers.authorization && req.headers.origin === undefined) {
      throw new ServiceError(req.headers.cookie ? 'origin_not_allowed' : 'not_signed_in', `sign in at ${publicUrl}`)
    }
    if (!(await isSignedIn(req, res))) throw new ServiceError('not_signed_in', `sign in at ${publicUrl}`)
    next()
  }

  return { routes, isSignedIn, requireOperator }
}
export type OperatorSignIn = ReturnType<typeof createOperatorSignIn>

/** Memory holds hashes only, so that a dump of it opens nothing. */
function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
