import { fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
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
interface Asking {
  user: number
  wallet: Hex
  attempts: number
  from: number
  to: number
}

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

/** The client's own log: every line is on disk before the driver goes on. */
export function openClientLog(file: string): (line: Acknowledged) => void {
  const descriptor = openSync(file, 'a')
  return (line) => {
    writeSync(descriptor, `${JSON.stringify(line)}\n`)
    fsyncSync(descriptor)
  }
}

export function readClientLog(file: string): Acknowledged[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as Acknowledged)
}
