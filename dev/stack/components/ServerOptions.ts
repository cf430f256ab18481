import type { Ports } from '../settings/ports.js'
import type { StackTemporal } from '../stackTemporal.js'

/** What Postgres, Temporal, anvil and Kubo are started with. */
export interface ServerOptions {
  /** Where data is kept. */
  dir: string
  ports: Ports
  /** Without its program, Kubo is left out. */
  programs: { temporal: string; kubo?: string | undefined }
  /** Kept across restarts, or forgotten with `dir`. */
  durable: boolean
  /** Temporal with less CPU; unless said otherwise, when it is not durable. */
  thrifty?: boolean | undefined
  databasePassword: string
  env: NodeJS.ProcessEnv
  /** Another Temporal than the dev server, which is then left out. */
  temporal?: StackTemporal | undefined
}
