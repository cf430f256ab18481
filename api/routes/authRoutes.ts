import { z } from 'zod'
import { parseWith } from '../http/parseWith.js'
import type { Route } from '../http/Route.js'
import type { RouteContext } from './RouteContext.js'
import { authorisationSchema, logoutRequestSchema, providerSchema, sessionUserSchema } from '../schemas.js'
import { sessionOf } from '../sessions/createRequireUser.js'
import { createFinishSignIn } from '../signIn/createFinishSignIn.js'
import { returnToSchema } from '../signIn/parseReturnTo.js'
import { createStartSignIn } from '../signIn/createStartSignIn.js'

export function createAuthRoutes(context: RouteContext): Route[] {
  const { deps, sessions, limits, audit } = context
  const params = z.object({ provider: providerSchema })
  return [
    {
      method: 'get',
      path: '/auth/me',
      operationId: 'me',
      summary: 'Who is signed in',
      session: true,
      answers: { 200: { description: 'the signed-in person', schema: sessionUserSchema } },
      steps: [(_req, res) => void res.json(sessionOf(res).user)],
    },
    {
      method: 'post',
      path: '/auth/logout',
      operationId: 'logout',
      summary: 'Ends this session, or with `everywhere` all of them; without a session it only clears the cookie',
      body: logoutRequestSchema,
      answers: { 204: { description: 'signed out; copies of the cookie are dead too' } },
      steps: [
        async (req, res) => {
          const { everywhere } = parseWith(logoutRequestSchema, req.body === undefined ? {} : req.body)
          const session = await sessions.peek(req)
          if (session && everywhere) {
            const ended = await sessions.end({ userId: session.user.id })
            await audit('sign_out_everywhere', session.user.id, { sessions: ended })
          } else if (session) {
            await sessions.end({ userId: session.user.id, id: session.id })
            await audit('sign_out', session.user.id)
          }
          sessions.clearCookie(res)
          res.status(204).end()
        },
      ],
    },
    {
      method: 'get',
      path: '/auth/:provider',
      operationId: 'startSignIn',
      summary: 'Starts a sign-in; reached by full-page navigation',
      params,
      query: z.object({
        return_to: returnToSchema(deps.settings.webOrigins).optional(),
        login_hint: z.string().optional(),
        authorisation: authorisationSchema,
      }),
      answers: { 302: { description: 'to the identity provider, or back to the app with `?sign_in_error=`' } },
      errors: ['provider_unknown', 'return_to_not_allowed'],
      steps: [limits.perAddress('signIn'), createStartSignIn(deps)],
    },
    {
      method: 'get',
      path: '/auth/:provider/callback',
      operationId: 'finishSignIn',
      summary: 'The identity provider sends the browser here',
      params,
      answers: { 302: { description: 'to the app, signed in or with `?sign_in_error=`' } },
      errors: ['provider_unknown'],
      // A client that started one sign-in can send its answer again and again; each goes into the audit log.
      steps: [limits.perAddress('signIn', 'finish'), createFinishSignIn(context)],
    },
  ]
}
