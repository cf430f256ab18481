import express, { type ErrorRequestHandler, type Express, type Request, type RequestHandler } from 'express'
import helmet from 'helmet'
import type { Payload } from '@temporalio/common'
import proto from '@temporalio/proto' // CommonJS without named exports that Node can see
import { ServiceError } from '@perigee/core/errors'
import { isLoopback } from '@perigee/core/config'
import { isPrivateWorkflow } from '@perigee/core/workflow'
import { workflowIdOf, type EncryptionCodec } from '../codec/EncryptionCodec.js'
import type { OperatorSignIn } from './createOperatorSignIn.js'

const { Payloads } = proto.temporal.api.common.v1

export interface CodecAppOptions {
  codec: EncryptionCodec
  uiOrigins: readonly string[]
  /** Null in development: every program on this machine may decode. */
  signIn: OperatorSignIn | null
  /** The Temporal UI, under `/ui`. */
  uiProxy?: RequestHandler | null
}

/**
 * Temporal's codec protocol, `POST /decode` and `POST /encode`, for the Temporal UI and CLI of operators. Payloads are
 * never logged.
 */
export function createCodecApp({ codec, uiOrigins, signIn, uiProxy }: CodecAppOptions): Express {
  const app = express()
  app.disable('x-powered-by')
  if (uiProxy) app.use('/ui', uiProxy) // before our headers: the UI's pages have their own
  app.use(helmet({ contentSecurityPolicy: { directives: { defaultSrc: ["'none'"], formAction: ["'self'"] } } }))
  app.use((_req, res, next) => {
    res.setHeader('cache-control', 'no-store')
    next()
  })
  if (signIn) app.use(signIn.routes)
  else app.use(refuseForeignHost)
  app.use(['/decode', '/encode'], createCors(uiOrigins), signIn ? [signIn.requireOperator] : [])
  // The body is JSON whatever the client calls it; the size is a gRPC message's.
  app.use(express.json({ type: () => true, limit: '4mb' }))
  app.post(
    '/decode',
    convert((payloads) => decodeShown(codec, payloads)),
  )
  app.post(
    '/encode',
    convert((payloads, req) => encodeFor(codec, req.get('x-workflow-id'), payloads)),
  )
  app.use(() => {
    throw new ServiceError('not_found', 'there is nothing here')
  })
  app.use(answerError)
  return app
}

/** Without a sign-in, a page whose host name an attacker points at 127.0.0.1 (DNS rebinding) must not get an answer. */
const refuseForeignHost: RequestHandler = (req, _res, next) => {
  if (!isLoopback(`http://${req.headers.host ?? ''}`)) throw new ServiceError('origin_not_allowed', 'unknown host')
  next()
}

/** Answers the Temporal UI's pages and refuses every other page. A request without an origin is not a page's. */
function createCors(uiOrigins: readonly string[]): RequestHandler {
  return (req, res, next) => {
    const { origin } = req.headers
    res.vary('Origin')
    if (origin === undefined) return next()
    if (!uiOrigins.includes(origin)) throw new ServiceError('origin_not_allowed', 'only the Temporal UI may ask')
    res.setHeader('access-control-allow-origin', origin)
    res.setHeader('access-control-allow-credentials', 'true')
    if (req.method !== 'OPTIONS') return next()
    res.setHeader('access-control-allow-headers', 'content-type, x-namespace, authorization')
    res.setHeader('access-control-allow-methods', 'POST')
    res.status(204).end()
  }
}

/** What users signed as messages, and the signatures, are credentials: they stay encrypted for everyone. */
async function decodeShown(codec: EncryptionCodec, payloads: Payload[]): Promise<Payload[]> {
  const shown = payloads.map(async (payload) =>
    isPrivateWorkflow(workflowIdOf(payload)) ? payload : ((await codec.decode([payload]))[0] as Payload),
  )
  return Promise.all(shown)
}

/** A payload is for one workflow; the Temporal CLI names it with `--codec-header`. It also asks when it has none to send. */
function encodeFor(codec: EncryptionCodec, workflowId: string | undefined, payloads: Payload[]): Promise<Payload[]> {
  if (payloads.length === 0) return Promise.resolve([])
  if (!workflowId) throw new ServiceError('invalid_request', 'name the workflow in the header X-Workflow-Id')
  return codec.encode(payloads, { workflowId })
}

function convert(work: (payloads: Payload[], req: Request) => Promise<Payload[]>): RequestHandler {
  return async (req, res) => {
    try {
      const { payloads } = Payloads.fromObject(req.body as object)
      const done = Payloads.create({ payloads: await work(payloads, req) })
      res.json(Payloads.toObject(done, { bytes: String }))
    } catch (error) {
      if (error instanceof ServiceError) throw error
      // Not payloads, a key we do not have, or changed ciphertext. The cause may quote the payload: it goes nowhere.
      throw new ServiceError('invalid_request', 'these payloads cannot be converted')
    }
  }
}

const answerError: ErrorRequestHandler = (error: unknown, _req, res, _next) => {
  const known =
    error instanceof ServiceError ? error : new ServiceError('invalid_request', 'the request cannot be read')
  res.status(known.status).json({ code: known.code, message: known.message })
}
