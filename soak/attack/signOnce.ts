import { randomUUID } from 'node:crypto'
import { bodyOf } from '../load/createDriver.js'
import type { Asked, SoakUser } from '../load/createUser.js'

/** A request that was answered, as somebody who listened has it. */
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
  const authorisation = user.approve(asked)
  const body = JSON.stringify({ ...bodyOf(asked), ...(authorisation && { authorisation }) })
  const headers = { ...user.headers(), 'idempotency-key': randomUUID() }
  const path = asked.kind === 'transaction' ? '/sign/digest' : '/sign/message'
  const answer = await fetch(`${apiUrl}${path}`, { method: 'POST', headers, body })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
  return { asked, headers, body, answer: text }
}
