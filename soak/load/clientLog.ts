import { fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { Hex } from '@perigee/core'
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
