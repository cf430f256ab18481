import type { RequestHandler } from 'express'
import type { ProofStatus } from '@perigee/core'
import type { ApiDeps } from '../ApiDeps.js'
import { parseWith } from '../http/parseWith.js'
import { slugSchema } from '../schemas.js'
import { proofVersion } from './proofVersion.js'
import { readProof } from './readProof.js'

/** A finished proof never changes; a failed one may be repaired by an operator; a pending one is asked for again. */
function cacheControl(status: ProofStatus): string {
  if (status === 'complete') return 'public, max-age=3600, immutable'
  return status === 'pin_failed' || status === 'onchain_failed' ? 'public, max-age=10' : 'no-cache'
}

/** `GET /proof/:slug`. */
export function createSendProof(deps: Pick<ApiDeps, 'findProof' | 'temporal'>): RequestHandler {
  return async (req, res) => {
    const proof = await readProof(deps, parseWith(slugSchema, req.params['slug'], 'proof_not_found'))
    const body = JSON.stringify(proof)
    res.setHeader('etag', `"${proofVersion(body)}"`)
    res.setHeader('cache-control', cacheControl(proof.status))
    if (req.fresh) return void res.status(304).end()
    res.type('application/json').send(body)
  }
}
