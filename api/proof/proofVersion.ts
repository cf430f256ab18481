import { createHash } from 'node:crypto'

/** Names one state of a proof: the `ETag` of the plain answer and the id of the event are the same. */
export function proofVersion(body: string): string {
  return createHash('sha256').update(body).digest('base64url').slice(0, 22)
}
