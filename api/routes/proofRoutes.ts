import { z } from 'zod'
import type { Route } from '../http/Route.js'
import { shareBriefly } from '../limits/shareBriefly.js'
import type { RouteContext } from './RouteContext.js'
import { createSendProof } from '../proof/createSendProof.js'
import { createStreamProof } from '../proof/createStreamProof.js'
import { proofPayloadSchema, slugSchema } from '../schemas.js'

/**
 * A question to a workflow costs a worker's time, and anyone may ask for a proof, so those who ask at the same time share
 * the answer. One that is older than the record is not used, so no client sees a state taken back.
 */
const shareProgressMs = 250

export function createProofRoutes({ deps, stopping, takeStreamPlace }: RouteContext): Route[] {
  const params = z.object({ slug: slugSchema })
  const queryProof = shareBriefly((slug) => deps.temporal.queryProof(slug), shareProgressMs)
  const proofDeps = { findProof: (slug: string) => deps.findProof(slug), temporal: { queryProof } }
  return [
    {
      method: 'get',
      path: '/proof/:slug',
      operationId: 'getProof',
      summary: 'The public proof of one signature, or of the birth of a wallet',
      params,
      answers: {
        200: { description: 'the proof', schema: proofPayloadSchema },
        304: { description: 'unchanged since the `ETag` in `If-None-Match`' },
      },
      errors: ['proof_not_found'],
      steps: [createSendProof(proofDeps)],
    },
    {
      method: 'get',
      path: '/proof/:slug/events',
      operationId: 'streamProof',
      summary: 'The same as server-sent events, one per state, until the state is terminal',
      params,
      answers: {
        200: { description: 'events named `proof`, data a ProofPayload', contentType: 'text/event-stream' },
        204: { description: 'the state named by `Last-Event-ID` was terminal: nothing more will come' },
      },
      errors: ['proof_not_found', 'share_exceeded', 'service_unavailable'],
      steps: [createStreamProof(proofDeps, stopping, takeStreamPlace, deps.streams)],
    },
  ]
}
