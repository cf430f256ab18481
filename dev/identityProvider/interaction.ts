import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import { parseEmail, subjectOf } from './account.js'
import { signInPage } from './signInPage.js'

const bodyLimit = 4096

/** The sign-in step: a `login_hint` signs in without asking, everyone else gets the page. */
export async function interaction(provider: Provider, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { uid, params } = await provider.interactionDetails(req, res)
  const action = `/interaction/${uid}`
  if (req.method !== 'POST') {
    const hinted = parseEmail(params['login_hint'])
    if (hinted) return finish(provider, req, res, hinted)
    return sendPage(res, signInPage(action))
  }
  const form = new URLSearchParams(await readBody(req))
  if (form.get('action') === 'cancel') {
    const refusal = { error: 'access_denied', error_description: 'the person pressed Cancel' }
    return provider.interactionFinished(req, res, refusal, { mergeWithLastSubmission: false })
  }
  const typed = form.get('email') ?? ''
  const email = parseEmail(typed)
  if (!email) return sendPage(res, signInPage(action, typed, 'That is not an e-mail address. Try name@example.test.'))
  return finish(provider, req, res, email)
}

function finish(provider: Provider, req: IncomingMessage, res: ServerResponse, email: string): Promise<void> {
  const login = { accountId: subjectOf(email), remember: false }
  return provider.interactionFinished(req, res, { login }, { mergeWithLastSubmission: false })
}

function sendPage(res: ServerResponse, html: string): void {
  res.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  })
  res.end(html)
}

async function readBody(req: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of req.setEncoding('utf8')) {
    text += chunk
    if (text.length > bodyLimit) throw new Error('form is too large')
  }
  return text
}
