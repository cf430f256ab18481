import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { bodyOf, pathOf } from '../load/signingRequest.js'
import type { Asked, SoakUser } from '../load/createUser.js'

/** A request that was answered, as an eavesdropper has it. */
export type Captured = Awaited<ReturnType<typeof signOnce>>

/** For a share to be free again. */
const patienceMs = 30_000

/** Has something signed that is never sent, and keeps the request as a wiretap would. */
export async function signOnce(user: SoakUser, apiUrl: string, asked: Asked = user.nextTransaction(false)) {
  const body = JSON.stringify(bodyOf(asked, user.approve(asked)))
  const headers = { ...user.headers(), 'idempotency-key': randomUUID() }
  const path = pathOf(asked)
  for (const until = Date.now() + patienceMs; ;) {
    const answer = await fetch(`${apiUrl}${path}`, { method: 'POST', headers, body })
    const text = await answer.text()
    if (answer.ok) return { asked, headers, body, answer: text }
    const waitMs = Number(answer.headers.get('retry-after') ?? NaN) * 1000
    if (!(Date.now() + waitMs < until)) throw new Error(`${path}: ${answer.status} ${text}`)
    await sleep(waitMs)
  }
}
