import { setTimeout as sleep } from 'node:timers/promises'
import type { RequestHandler, Response } from 'express'
import { isTerminal, ServiceError } from '@perigee/core'
import type { StreamSettings } from '../ApiDeps.js'
import { shareBriefly } from '../limits/shareBriefly.js'
import type { TakeStreamPlace } from '../shares/createStreamPlaces.js'
import { proofVersion } from './createSendProof.js'
import { parseSlug, readProof, readRecord, type ProofDeps } from './readProof.js'

const defaults: StreamSettings = { pollMs: 1_000, heartbeatMs: 15_000, maxMs: 10 * 60_000, maxStreams: 500 }

/**
 * `GET /proof/:slug/events`: one event per state until the state is terminal. An event's id names the state, so a
 * client that reconnects with `Last-Event-ID` does not get the same state twice; if that state was terminal, the answer
 * is 204, which tells an EventSource to stop.
 */
export function createStreamProof(
  deps: ProofDeps,
  stopping: AbortSignal,
  takePlace: TakeStreamPlace,
  settings = defaults,
): RequestHandler {
  let streams = 0
  // Streams of one proof read again at the same moments and share what is read, so that many cost little more than one.
  const readAgain = shareBriefly((slug) => readProof(deps, slug), settings.pollMs / 4)
  return async (req, res) => {
    const left = closed(res) // from the start: a client may leave at any time
    const slug = parseSlug(req.params['slug'])
    let seen = req.get('last-event-id') ?? null
    const record = await readRecord(deps, slug)
    res.setHeader('cache-control', 'no-cache, no-transform')
    if (isTerminal(record.status) && seen === proofVersion(JSON.stringify(record))) return void res.status(204).end()
    if (streams >= settings.maxStreams) throw new ServiceError('service_unavailable', 'too many streams; poll instead')
    const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' }
    if (req.method === 'HEAD') return void res.writeHead(200, headers).end()
    if (left.aborted) return
    const ended = AbortSignal.any([stopping, AbortSignal.timeout(settings.maxMs), left])
    let heartbeat: NodeJS.Timeout | undefined
    let leave: (() => void) | undefined
    streams += 1 // before anything is awaited: those that come meanwhile count it
    try {
      leave = await takePlace(req, res) // before a worker is asked: refusing costs little
      if (left.aborted) return
      let proof = await readProof(deps, slug)
      res.writeHead(200, headers).write(`retry: 2000\n\n`)
      heartbeat = setInterval(() => res.write(': still here\n\n'), settings.heartbeatMs)
      while (!ended.aborted) {
        const body = JSON.stringify(proof)
        const version = proofVersion(body)
        if (version !== seen) res.write(`id: ${version}\nevent: proof\ndata: ${body}\n\n`)
        seen = version
        if (isTerminal(proof.status)) break
        await sleep(untilNextRead(slug, settings.pollMs), undefined, { signal: ended }).catch(() => undefined)
        proof = await readAgain(slug)
      }
    } finally {
      streams -= 1
      leave?.()
      clearInterval(heartbeat)
      if (res.headersSent) res.end()
    }
  }
}

/** One moment in each period, another for each proof. */
function untilNextRead(slug: string, periodMs: number): number {
  const moment = Buffer.from(slug).reduce((sum, letter) => sum + letter, 0) * 37
  return periodMs - ((Date.now() + moment) % periodMs)
}

function closed(res: Response): AbortSignal {
  const controller = new AbortController()
  if (res.destroyed) controller.abort()
  res.once('close', () => controller.abort())
  return controller.signal
}
