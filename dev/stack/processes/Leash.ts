import { fork, type ChildProcess } from 'node:child_process'
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

interface Pending {
  started: (pid: number) => void
  failed: (error: Error) => void
  exited: (exit: Exit) => void
}

/** Starts programs that cannot outlive us: see leash.mjs. */
export interface Leash {
  pid: number
  spawn(options: SpawnOptions): Promise<RunningProgram>
  /** A file that exists only while we run: removed when we end, however we end. */
  removeAtEnd(file: string): void
  /** Stops everything that is still running, and the leash itself. */
  close(): Promise<void>
}

/** Opens a leash. `onLost` is called when the leash itself was killed; its programs have then been killed too. */
export function openLeash(onLost: () => void = () => undefined): Leash {
  const leash = fork(fileURLToPath(new URL('./leash.mjs', import.meta.url)), [], { detached: true, execArgv: [] })
  const pending = new Map<number, Pending>()
  const pids = new Map<number, number>()
  let nextId = 1
  let closing = false

  leash.on('message', (message: Message) => {
    const waiting = pending.get(message.id)
    if (message.type === 'started') {
      pids.set(message.id, message.pid)
      waiting?.started(message.pid)
    } else {
      pids.delete(message.id)
      pending.delete(message.id)
      if (message.type === 'failed') waiting?.failed(new Error(message.message))
      else waiting?.exited({ code: message.code, signal: message.signal })
    }
  })
  leash.on('exit', () => {
    for (const pid of pids.values()) killGroup(pid)
    for (const waiting of pending.values()) waiting.exited({ code: null, signal: 'SIGKILL' })
    if (!closing) onLost()
  })

  return {
    pid: leash.pid ?? 0,
    spawn(options) {
      const id = nextId++
      return new Promise((resolve, reject) => {
        const exited = new Promise<Exit>((ended) => {
          pending.set(id, {
            started: (pid) => resolve({ pid, exited, stop: () => stop(leash, id, exited) }),
            failed: reject,
            exited: ended,
          })
        })
        leash.send({ type: 'spawn', id, ...options }, (error) => error && reject(error))
      })
    },
    removeAtEnd: (file) => void leash.send({ type: 'removeAtEnd', file }),
    async close() {
      closing = true
      if (leash.exitCode !== null || leash.signalCode !== null) return
      const gone = new Promise<void>((resolve) => leash.once('exit', () => resolve()))
      if (leash.connected) leash.disconnect()
      await gone
    },
  }
}

async function stop(leash: ChildProcess, id: number, exited: Promise<Exit>): Promise<Exit> {
  if (leash.connected) leash.send({ type: 'stop', id })
  return exited
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // already gone
  }
}
