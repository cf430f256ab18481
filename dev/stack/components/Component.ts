import type { Command } from '../processes/Leash.js'

/** One program of the stack: how to start it, how to know that it works, how to end it. */
export interface Component {
  name: string
  /** Makes folders, files and accounts it needs. Safe to repeat; runs before every start. */
  prepare?(): Promise<void>
  command: () => Command
  /** Whether the process with this id serves; polled until it does. */
  isReady(pid: number): Promise<boolean>
  /** What must be done once it serves, before others may use it. Safe to repeat; runs after every start. */
  afterStart?(): Promise<void>
  stopSignal?: NodeJS.Signals
  startTimeoutMs?: number
  /** From the signal until it is killed. */
  graceMs?: number
  /** Pause between two polls of `isReady`. */
  askEveryMs?: number
}
