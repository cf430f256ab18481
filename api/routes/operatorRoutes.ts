import type { RequestHandler } from 'express'
import { z } from 'zod'
import { ServiceError } from '@perigee/core'
import { userExists } from '../../database/index.js'
import { workflowIds } from '../../temporal/index.js'
import { parseEmptyBody, parseWith } from '../http/parseWith.js'
import type { Route } from '../http/Route.js'
import { parseSlug } from '../proof/readProof.js'
import type { RouteContext } from './RouteContext.js'
import { emptyBodySchema, operatorProofSchema, slugSchema } from '../schemas.js'
import { sessionOf } from '../sessions/createRequireUser.js'

/** For the people named in `OPERATORS`. Everyone else gets 403 before anything is looked up. */
export function createOperatorRoutes({ deps, sessions, audit }: RouteContext): Route[] {
  const { settings, database } = deps
  const userParams = z.object({ id: z.uuid() })

  /** They are named in configuration; no request can add one. */
  const requireOperator: RequestHandler = (_req, res, next) => {
    const { issuer, subject } = sessionOf(res).identity
    if (!settings.operators.some((operator) => operator.issuer === issuer && operator.subject === subject)) {
      throw new ServiceError('operator_only', 'only operators may do this')
    }
    next()
  }

  const findWorkflow: RequestHandler = async (req, res) => {
    const slug = parseSlug(req.params['slug'])
    if (!(await deps.findProof(slug))) throw new ServiceError('proof_not_found', 'there is no proof with this slug')
    const workflowId = workflowIds.receipt(slug)
    res.json({ slug, workflowId, temporalUrl: temporalUrl(settings.temporalUi, workflowId) })
  }

  const endSessions: RequestHandler = async (req, res) => {
    const { id } = parseWith(userParams, req.params, 'user_not_found')
    if (!(await userExists(database, id))) throw new ServiceError('user_not_found', 'there is no user with this id')
    const ended = await sessions.end({ userId: id })
    await audit('operator_sessions_ended', id, { operator: sessionOf(res).user.id, sessions: ended })
    res.json({ ended })
  }

  return [
    {
      method: 'get',
      path: '/operator/proof/:slug',
      operationId: 'operatorProof',
      summary: 'Where an operator finds the workflow of a proof',
      session: true,
      params: z.object({ slug: slugSchema }),
      answers: { 200: { description: 'its workflow', schema: operatorProofSchema } },
      errors: ['operator_only', 'proof_not_found'],
      steps: [requireOperator, findWorkflow],
    },
    {
      method: 'delete',
      path: '/operator/users/:id/sessions',
      operationId: 'endSessionsOfUser',
      summary: 'An operator ends every session of a user',
      session: true,
      params: userParams,
      body: emptyBodySchema,
      answers: { 200: { description: 'how many were alive', schema: z.object({ ended: z.int() }) } },
      errors: ['operator_only', 'user_not_found'],
      steps: [requireOperator, parseEmptyBody, endSessions],
    },
  ]
}

function temporalUrl(ui: { url: string; namespace: string } | null, workflowId: string): string | null {
  if (!ui) return null
  return `${ui.url}/namespaces/${encodeURIComponent(ui.namespace)}/workflows/${encodeURIComponent(workflowId)}`
}
