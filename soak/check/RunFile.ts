import { readFileSync, writeFileSync } from 'node:fs'
import type { Hex } from '@perigee/core'
import type { StackFile } from '../../dev/stack/stackFile.js'
import type { TemporalPlace } from '../withTemporal.js'

/** The checker's input: where everything is, and what must be found nowhere. */
export interface RunFile {
  stack: StackFile
  /** Where the workflows ran before they were moved to `stack`'s Temporal. */
  formerTemporal?: TemporalPlace
  clientLog: string
  logs: string
  /** Folder of Temporal's own files. Null for a cluster: it keeps them in Postgres, beside ours, which may name people. */
  temporalFiles: string | null
  trustAnchors: string
  codecKeys: string
  needles: Record<string, string>
  /** The same, but histories may hold it encrypted. */
  fileNeedles: Record<string, string>
  /** What the application accepted. */
  webhooks: string
  /** A wallet whose user asked for more than this share of a day. */
  share: { wallet: Hex; perDay: number }
}

/** It holds secrets: readable by its owner only. */
export function writeRunFile(file: string, run: RunFile): void {
  writeFileSync(file, JSON.stringify(run, null, 2), { mode: 0o600 })
}

export function readRunFile(file: string): RunFile {
  return JSON.parse(readFileSync(file, 'utf8')) as RunFile
}
