import type { Ports } from '../settings/ports.js'

/** What Postgres, Temporal, anvil and Kubo are started with. */
export interface ServerOptions {
  /** Where data is kept. */
  dir: string
  ports: Ports
  /** Without its program, Kubo is left out. */
  programs: { temporal: string; kubo?: string | undefined }
  /** Kept across restarts, or forgotten with `dir`. */
  durable: boolean
  databasePassword: string
  env: NodeJS.ProcessEnv
}

/** Of the Temporal namespace and of the database. */
export const serviceName = 'perigee'
export const localChainId = 31337
