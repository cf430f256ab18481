import { transactionHash, type Hex } from '@perigee/core'
import type { SignDigestResult } from '@perigee/core/workflow'
import type { Asked } from './createUser.js'

/** One acknowledged signature, as its client would keep it. */
export interface Acknowledged {
  at: string
  user: number
  kind: Asked['kind']
  wallet: Hex
  /** Of the transaction, or the request hash of a message. */
  digest: Hex
  /** What the key signed. */
  signedHash: Hex
  /** Null for a message. */
  txHash: Hex | null
  signature: Hex
  slug: string
  /** Requests that were needed. */
  attempts: number
  /** From the first request to the answer. */
  ms: number
}

/** Who asked, how often, and from when to when, in milliseconds since 1970. */
type Asking = Pick<Acknowledged, 'user' | 'wallet' | 'attempts'> & { from: number; to: number }

/** The line of an answer. */
export function acknowledge(
  asked: Asked,
  { slug, signature }: SignDigestResult,
  { user, wallet, attempts, from, to }: Asking,
): Acknowledged {
  return {
    at: new Date(to).toISOString(),
    user,
    kind: asked.kind,
    wallet,
    digest: asked.hash,
    signedHash: asked.kind === 'message' ? asked.signedHash : asked.hash,
    txHash: asked.kind === 'message' ? null : transactionHash(asked.txMetadata, signature),
    slug,
    signature,
    attempts,
    ms: to - from,
  }
}
