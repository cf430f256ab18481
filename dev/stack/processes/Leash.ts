import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export interface Command {
  file: string
  args: string[]
  env: NodeJS.ProcessEnv
  cwd: string
  uid?: number
  gid?: number
}

export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
}

export interface RunningProgram {
  pid: number
  exited: Promise<Exit>
  /** Asks it to end, and kills it after the grace period. Resolves when it is gone. */
  stop(): Promise<Exit>
}

export interface SpawnOptions extends Command {
  logFile: string
  stopSignal: NodeJS.Signals
  graceMs: number
}

type Message =
  | { type: 'started'; id: number; pid: number }
  | { type: 'failed'; id: number; message: string }
  | ({ type: 'exited'; id: number } & Exit)

interface Spawned {
  pid?: number
  started: (pid: number) => void
  failed: (error: Error) => void
  exited: (exit: Exit) => void
}

export type Leash = ReturnType<typeof openLeash>

/**
 * Starts programs that cannot outlive us: see leash.mjs. `onLost` is called when the leash itself was killed; its programs
 * have then been killed too.
 */
export function openLeash(onLost: () => void = () => undefined) {
  const leash = fork(fileURLToPath(new URL('./leash.mjs', import.meta.url)), [], { detached: true, execArgv: [] })
  const programs = new Map<number, Spawned>()
  let nextId = 1
  let closing = false

  leash.on('message', (message: Message) => {
    const program = programs.get(message.id)
    if (!program) return
    if (message.type === 'started') return program.started(message.pid)
    programs.delete(message.id)
    if (message.type === 'failed') program.failed(new Error(message.message))
    else program.exited({ code: message.code, signal: message.signal })
  })
  leash.on('exit', () => {
    for (const { pid, exited } of programs.values()) {
      if (pid !== undefined) killGroup(pid)
      exited({ code: null, signal: 'SIGKILL' })
    }
    if (!closing) onLost()
  })

  const stop = (id: number, exited: Promise<Exit>) => {
    if (leash.connected) leash.send({ type: 'stop', id })
    return exited
  }
  return {
    pid: leash.pid ?? 0,
    spawn(options: SpawnOptions): Promise<RunningProgram> {
      const id = nextId++
      return new Promise((resolve, failed) => {
        const exited = new Promise<Exit>((ended) => {
          const started = (pid: number) => {
            programs.set(id, { pid, started, failed, exited: ended })
            resolve({ pid, exited, stop: () => stop(id, exited) })
          }
          programs.set(id, { started, failed, exited: ended })
        })
        leash.send({ type: 'spawn', id, ...options }, (error) => error && failed(error))
      })
    },
    /** A file that exists only while we run: removed when we end, however we end. */
    removeAtEnd: (file: string) => void leash.send({ type: 'removeAtEnd', file }),
    /** Stops everything that is still running, and the leash itself. */
    async close(): Promise<void> {
      closing = true
      if (leash.exitCode !== null || leash.signalCode !== null) return
      const gone = new Promise<void>((resolve) => leash.once('exit', () => resolve()))
      if (leash.connected) leash.disconnect()
      await gone
    },
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // already gone
  }
}
