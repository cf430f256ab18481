import { z } from 'zod'
import type { Route } from '../http/Route.js'
import type { RouteContext } from './RouteContext.js'
import { createSendProof } from '../proof/createSendProof.js'
import { createStreamProof } from '../proof/createStreamProof.js'
import { proofPayloadSchema, slugSchema } from '../schemas.js'

export function createProofRoutes({ deps, stopping, takeStreamPlace }: RouteContext): Route[] {
  const params = z.object({ slug: slugSchema })
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
      steps: [createSendProof(deps)],
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
      steps: [createStreamProof(deps, stopping, takeStreamPlace, deps.streams)],
    },
  ]
}
