import { createHash } from 'node:crypto'
import type { RequestHandler } from 'express'
import type { ProofStatus } from '@perigee/core'
import { parseSlug, readProof, type ProofDeps } from './readProof.js'

/** A reorg may reopen a complete proof, an operator may repair a failed one, and clients poll a pending one. */
function cacheControl(status: ProofStatus): string {
  if (status === 'complete') return 'public, max-age=60'
  return status === 'pin_failed' || status === 'onchain_failed' ? 'public, max-age=10' : 'no-cache'
}

/** Names one state of a proof: the `ETag` of this answer and the id of the event in the stream. */
export function proofVersion(body: string): string {
  return createHash('sha256').update(body).digest('base64url').slice(0, 22)
}

/** `GET /proof/:slug`. */
export function createSendProof(deps: ProofDeps): RequestHandler {
  return async (req, res) => {
    const proof = await readProof(deps, parseSlug(req.params['slug']))
    const body = JSON.stringify(proof)
    res.setHeader('etag', `"${proofVersion(body)}"`)
    res.setHeader('cache-control', cacheControl(proof.status))
    if (req.fresh) return void res.status(304).end()
    res.type('application/json').send(body)
  }
}
