import type { RequestHandler } from 'express'
import { z } from 'zod'
import { ServiceError, type Hex } from '@perigee/core'
import { parseWith } from '../http/parseWith.js'
import { sendProblem } from '../http/problem.js'
import type { Route } from '../http/Route.js'
import type { ApiDeps } from '../ApiDeps.js'
import type { RouteContext } from './RouteContext.js'
import { shareBriefly } from '../limits/shareBriefly.js'
import { askEach, readinessOf } from '../monitoring/checkReadiness.js'
import { coordinatorAttestationSchema, nonceSchema, readinessSchema } from '../schemas.js'

/** Anyone may ask, and each answer takes three queries and two calls to Temporal. A load balancer asks once a second. */
const shareReadinessMs = 500

export function createHealthRoutes({ deps, limits, stopping }: RouteContext): Route[] {
  const healthSchema = z.object({ status: z.literal('ok') })
  const attestationQuery = z.object({ nonce: nonceSchema.optional() })

  const createSendReadiness = (checks: () => ApiDeps['readiness']): RequestHandler => {
    const askDependencies = shareBriefly(() => askEach(checks()), shareReadinessMs)
    return async (_req, res) => {
      const readiness = readinessOf(await askDependencies('all'), stopping.aborted)
      if (readiness.status === 'ready') return void res.json(readiness)
      const down = Object.entries(readiness.dependencies).filter(([, { state }]) => state === 'down')
      const names = down.map(([name]) => name).join(', ')
      const error = new ServiceError('service_unavailable', `not ready: ${names || 'shutting down'}`)
      sendProblem(res, error, { dependencies: readiness.dependencies })
    }
  }

  /**
   * Without its database this process can answer nothing; without the rest it still answers from the record. Its build and
   * its access to Temporal must have passed once, so that a rollout of one that is not listed, or has wrong credentials,
   * stops; later on a list that expires, or a Temporal that refuses, concerns every API, and would take them all away.
   */
  const passed = new Set<string>()
  const once = (name: string, check: (() => Promise<void>) | undefined): ApiDeps['readiness'] => {
    const ask = async () => {
      if (!passed.has(name)) await check?.()
      passed.add(name)
    }
    return check ? { [name]: ask } : {}
  }
  const ownChecks = (): ApiDeps['readiness'] => {
    const { database, attestation } = deps.readiness
    return {
      ...(database && { database }),
      ...once('attestation', attestation),
      ...once('temporalAccess', deps.temporalAccess),
    }
  }

  /** With a nonce the report is made for this caller, so that an old one cannot be replayed. */
  const sendAttestation: RequestHandler = async (req, res) => {
    const { nonce } = parseWith(attestationQuery, { nonce: req.query['nonce'] })
    const wanted = nonce?.replace(/^(?:0x)?/, '0x').toLowerCase() as Hex | undefined
    res.json(await (wanted ? deps.attestor.fresh(wanted) : deps.attestor.current()))
  }

  return [
    {
      method: 'get',
      path: '/health',
      operationId: 'health',
      summary: 'The process is alive; says nothing about what it depends on',
      answers: { 200: { description: 'alive', schema: healthSchema } },
      steps: [(_req, res) => void res.json({ status: 'ok' })],
    },
    {
      method: 'get',
      path: '/health/ready',
      operationId: 'readiness',
      summary: 'Whether requests can be served, with the state of each dependency',
      answers: { 200: { description: 'every dependency is usable', schema: readinessSchema } },
      errors: ['service_unavailable'],
      steps: [createSendReadiness(() => deps.readiness)],
    },
    {
      method: 'get',
      path: '/health/serving',
      operationId: 'serving',
      summary:
        'Whether a load balancer should send requests to this process: it is not stopping, its database answers, and it has attested itself and not been refused by Temporal',
      answers: { 200: { description: 'it serves', schema: readinessSchema } },
      errors: ['service_unavailable'],
      steps: [createSendReadiness(ownChecks)],
    },
    {
      method: 'get',
      path: '/health/attestation',
      operationId: 'attestation',
      summary: 'The coordinator’s own SNP attestation; with `nonce` a new report that binds it',
      query: attestationQuery,
      answers: { 200: { description: 'the attestation', schema: coordinatorAttestationSchema } },
      errors: ['service_unavailable'],
      steps: [limits.perAddress('attestation'), sendAttestation],
    },
  ]
}
