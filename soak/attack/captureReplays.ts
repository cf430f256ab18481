import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { bodyOf } from '../load/signingRequest.js'
import type { ProofPayload } from '@perigee/core'
import type { SoakUser } from '../load/createUser.js'
import type { Replay } from './hostile/Plan.js'
import { signOnce, type Captured } from './signOnce.js'

const receiptWithinMs = 120_000

interface Captures {
  replayer: SoakUser
  /** Every second one has a passkey. */
  honest: readonly SoakUser[]
  apiUrl: string
}

/** What the replayer has: requests of their own that were answered, requests of others as a wiretap sees them, and public receipts. */
export async function captureReplays({ replayer, honest, apiUrl }: Captures): Promise<Replay[]> {
  const [bare, owned] = [honest[0] as SoakUser, honest[1] as SoakUser]
  const [own, ownLater] = [await signOnce(replayer, apiUrl), await signOnce(replayer, apiUrl)]
  const ofOwned = await signOnce(owned, apiUrl)
  const ofBare = await signOnce(bare, apiUrl)
  const session = replayer.headers()
  const fresh = () => bodyOf(replayer.nextTransaction(false))
  const withApproval = (body: object, { body: from }: Captured) => ({
    ...body,
    authorisation: (JSON.parse(from) as { authorisation: unknown }).authorisation,
  })
  // A message's receipt is published at once; a transaction's only when it was sent.
  const statement = await publicStatement(apiUrl, await signOnce(owned, apiUrl, owned.nextMessage()))
  const post = (name: string, expect: Replay['expect'], body: unknown, more: Partial<Replay> = {}): Replay => {
    const headers = { ...session, 'idempotency-key': randomUUID() }
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return { name, expect, path: '/sign/digest', headers, body: text, answer: null, ...more }
  }
  const keyOf = (captured: Captured, headers = session) => ({
    headers: { ...headers, 'idempotency-key': captured.headers['idempotency-key'] ?? '' },
  })
  const { cookie: _, ...anonymous } = session
  return [
    post('another’s whole request with their passkey’s assertion', 'refused', ofOwned.body),
    post('another’s assertion for a transaction of one’s own', 'refused', withApproval(fresh(), ofOwned)),
    post('one’s own assertion for another transaction', 'refused', withApproval(fresh(), own)),
    post('one’s own assertion for another’s transaction', 'refused', withApproval(bodyOf(ofBare.asked), own)),
    post('another’s transaction', 'refused', ofBare.body),
    post('a statement from a public receipt as the approval', 'refused', { ...fresh(), authorisation: statement }),
    post('a statement from a public receipt beside the request', 'refused', { ...fresh(), statement }),
    post('another’s idempotency key and request', 'refused', ofOwned.body, keyOf(ofOwned)),
    post('one’s own idempotency key for another request', 'refused', ownLater.body, keyOf(own)),
    post('another’s request without their cookie', 'refused', ofBare.body, keyOf(ofBare, anonymous)),
    post('one’s own request', 'same', own.body, { ...keyOf(own), answer: own.answer }),
    post('one’s own request under a new key', 'same', own.body, { answer: own.answer }),
    post('one’s own request under another’s key', 'same', own.body, { ...keyOf(ofBare), answer: own.answer }),
  ]
}

/** The statement in a receipt, which anyone can read. */
async function publicStatement(apiUrl: string, { answer }: Captured): Promise<unknown> {
  const { slug } = JSON.parse(answer) as { slug: string }
  for (const until = Date.now() + receiptWithinMs; Date.now() < until; await sleep(500)) {
    const { receipt } = (await (await fetch(`${apiUrl}/proof/${slug}`)).json()) as Pick<ProofPayload, 'receipt'>
    if (receipt) return receipt.authorisation.statement
  }
  throw new Error('a receipt was not published in time')
}
