import { randomUUID } from 'node:crypto'
import { bodyOf, pathOf } from '../load/signingRequest.js'
import type { Asked, SoakUser } from '../load/createUser.js'

/** A request that was answered, as an eavesdropper has it. */
export interface Captured {
  asked: Asked
  headers: Record<string, string>
  body: string
  answer: string
}

/** Has something signed that is never sent, and keeps the request as a wiretap would. */
export async function signOnce(
  user: SoakUser,
  apiUrl: string,
  asked: Asked = user.nextTransaction(false),
): Promise<Captured> {
  const body = JSON.stringify(bodyOf(asked, user.approve(asked)))
  const headers = { ...user.headers(), 'idempotency-key': randomUUID() }
  const path = pathOf(asked)
  const answer = await fetch(`${apiUrl}${path}`, { method: 'POST', headers, body })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
  return { asked, headers, body, answer: text }
}
