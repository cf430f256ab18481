import { createServer, type Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import express, { type ErrorRequestHandler, type Response } from 'express'
import { z } from 'zod'
import { behaviourSchema, type Behaviour } from './behaviour.js'
import type { SatelliteIdentity } from './identity.js'
import { makeSample, type WireSample } from './makeSample.js'

const samplesRequest = z.object({ count: z.int().min(1).max(32) })

/**
 * The satellite stand-in over HTTP: `POST /v1/samples {count}`, `GET /v1/key`, `GET /health`, and for tests
 * `POST /admin/behaviour`. For loopback in development only: anyone who reaches the port can give it orders.
 */
export function createSatelliteServer(identity: SatelliteIdentity, nextSequence: () => bigint): Server {
  const { keyId, algorithm, publicKey } = identity
  let behaviour: Behaviour = { mode: 'normal' }
  let last: WireSample[] = []

  async function answerSamples(count: number, res: Response): Promise<void> {
    const order = behaviour
    if (order.requests !== undefined) {
      behaviour = order.requests > 1 ? { ...order, requests: order.requests - 1 } : { mode: 'normal' }
    }
    if (order.mode === 'hang') return
    if (order.mode === 'delay') await sleep(order.delayMs)
    if (order.mode === 'garble') return void res.end('<html>not a sample')
    if (order.mode === 'fail') {
      if (order.retryAfterSeconds !== undefined) res.set('retry-after', String(order.retryAfterSeconds))
      return void res.status(order.status ?? 500).json({ message: 'told to fail' })
    }
    if (order.mode !== 'repeat' || last.length === 0) {
      const lie = order.mode === 'lie' ? order.about : undefined
      last = Array.from({ length: count }, () => makeSample(identity, nextSequence, Date.now(), lie))
    }
    res.json({ samples: last.slice(0, count) })
  }

  const app = express()
  app.get('/health', (_req, res) => void res.json({ ok: true, behaviour }))
  app.get('/v1/key', (_req, res) => void res.json({ keyId, algorithm, publicKey }))
  app.use((req, res, next) => {
    // A web page can post text to loopback without a preflight, but not JSON.
    if (req.method === 'POST' && !req.is('application/json')) res.status(415).json({ message: 'JSON only' })
    else next()
  })
  app.use(express.json({ limit: 1024 }))
  app.post('/admin/behaviour', (req, res) => {
    behaviour = behaviourSchema.parse(req.body)
    res.json({ behaviour })
  })
  app.post('/v1/samples', (req, res) => answerSamples(samplesRequest.parse(req.body).count, res))
  app.use(((error: Error, _req, res, _next) => {
    if (!res.headersSent) res.status(400).json({ message: error.message })
  }) satisfies ErrorRequestHandler)
  const server = createServer(app)
  server.once('listening', () => server.on('error', ({ message }) => console.error(`not accepted: ${message}`)))
  return server
}
