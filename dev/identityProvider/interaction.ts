import type { Request, Response } from 'express'
import type { Provider } from 'oidc-provider'
import { parseEmail, subjectOf } from './account.js'
import { signInPage } from './signInPage.js'

/** The sign-in step: a `login_hint` signs in without asking, everyone else gets the page. */
export async function interaction(provider: Provider, req: Request, res: Response): Promise<void> {
  const { uid, params } = await provider.interactionDetails(req, res)
  const action = `/interaction/${uid}`
  const form = req.body as Record<string, unknown> | undefined
  if (form?.['action'] === 'cancel') {
    const refusal = { error: 'access_denied', error_description: 'the person pressed Cancel' }
    return provider.interactionFinished(req, res, refusal, { mergeWithLastSubmission: false })
  }
  const typed = form?.['email']
  const email = parseEmail(form ? typed : params['login_hint'])
  if (email) {
    const login = { accountId: subjectOf(email), remember: false }
    return provider.interactionFinished(req, res, { login }, { mergeWithLastSubmission: false })
  }
  const problem = form ? 'That is not an e-mail address. Try name@example.test.' : ''
  res.set('cache-control', 'no-store')
  res.set('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
  res.type('html').send(signInPage(action, typeof typed === 'string' ? typed : '', problem))
}
