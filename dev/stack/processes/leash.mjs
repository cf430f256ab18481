// Starts programs for a supervisor and outlives it just long enough to stop them. It is a process of its own, in a
// session of its own, and its channel to the supervisor closes however that one ends: Ctrl-C, a crash, or kill -9.
// Each program leads a process group, so that what it started goes with it.
import { spawn } from 'node:child_process'
import { closeSync, openSync, rmSync } from 'node:fs'

const programs = new Map() // id -> { pid, stopSignal, graceMs, killer }
const leftovers = new Set() // files that may exist only while the supervisor runs

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined) // only the channel decides

process.on('message', (message) => {
  if (message.type === 'spawn') start(message)
  if (message.type === 'stop') stop(message.id)
  if (message.type === 'removeAtEnd') leftovers.add(message.file)
})

process.on('disconnect', () => {
  for (const file of leftovers) rmSync(file, { force: true })
  for (const id of programs.keys()) stop(id)
  leaveWhenDone()
})

function start({ id, file, args, env, cwd, uid, gid, logFile, stopSignal, graceMs }) {
  const log = openSync(logFile, 'a', 0o600)
  const child = spawn(file, args, { env, cwd, uid, gid, detached: true, stdio: ['ignore', log, log] })
  closeSync(log)
  child.on('error', (error) => {
    if (child.pid === undefined) tell({ type: 'failed', id, message: error.message })
  })
  if (child.pid === undefined) return
  programs.set(id, { pid: child.pid, stopSignal, graceMs, killer: undefined })
  tell({ type: 'started', id, pid: child.pid })
  child.on('exit', (code, signal) => {
    clearTimeout(programs.get(id)?.killer)
    programs.delete(id)
    send(-child.pid, 'SIGKILL') // helpers it left behind
    tell({ type: 'exited', id, code, signal })
    leaveWhenDone()
  })
}

function stop(id) {
  const program = programs.get(id)
  if (!program || program.killer) return
  program.killer = setTimeout(() => send(-program.pid, 'SIGKILL'), program.graceMs)
  // Only the leader: Postgres and others end their own helpers in order.
  send(program.pid, program.stopSignal)
}

function tell(message) {
  if (process.connected) process.send(message, () => undefined)
}

function leaveWhenDone() {
  if (!process.connected && programs.size === 0) process.exit(0)
}

/** A negative id means the program's whole group. */
function send(pid, signal) {
  try {
    process.kill(pid, signal)
  } catch {
    // already gone
  }
}
