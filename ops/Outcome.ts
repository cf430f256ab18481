import type { OpsConfig } from './config.js'

/** What a command found: lines for people, JSON for programs, and 0 (all is well), 1 (it is not) or 3 (unknown). */
export interface Outcome {
  lines: string[]
  json: object
  exitCode: 0 | 1 | 3
}

/** Takes what the command line asks for; it runs once the configuration is read. */
export type Choose = (action: (config: OpsConfig) => Promise<Outcome>) => void
