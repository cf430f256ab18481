import { join } from 'node:path'
import type { Component } from '../components/Component.js'
import type { Command, Leash } from './Leash.js'
import { ComponentFailed, lastLines, startComponent, type Started } from './startComponent.js'

/** The first restart is immediate, later ones back off; a program that ran for `healthyMs` starts from the beginning. */
const secondDelayMs = 500
const longestDelayMs = 30_000
const healthyMs = 5_000
const shownLines = 5

export interface Supervision {
  leash: Leash
  logs: string
  say: (line: string) => void
  /** Called whenever a program has a new process id, or none. */
  changed: (name: string, pid: number | undefined) => void
  /** True once the stack is being stopped: nothing is started anymore. */
  stopping: () => boolean
}

/** One program of a stack. It can be stopped and started while the others run. */
export interface Supervised {
  /** Asks it to end, and waits as long as it takes; it stays down until `start`. */
  stop(signal?: NodeJS.Signals): Promise<void>
  /** Starts it, with these changes to its variables from now on. */
  start(changes?: NodeJS.ProcessEnv): Promise<void>
}

/** Keeps one component running: when it ends, this prints the end of its log and starts it again. */
export function supervise(given: Component, first: Started, supervision: Supervision): Supervised {
  const { leash, logs, say, changed, stopping } = supervision
  const logFile = join(logs, `${given.name}.log`)
  let component = given
  let held = false
  let program = first
  let startedAt = Date.now()
  let delayMs = 0

  const watch = async () => {
    for (;;) {
      const { code, signal } = await program.exited
      if (stopping()) return
      changed(component.name, undefined)
      if (held) return
      if (Date.now() - startedAt > healthyMs) delayMs = 0
      const end = await lastLines(logFile, program.logStart, shownLines)
      say(`✗ ${component.name} ended (${signal ?? `exit code ${code}`}). The end of ${logFile}:\n${end}`)
      const again = await restart()
      if (!again) return
      program = again
    }
  }
  const restart = async (): Promise<Started | undefined> => {
    for (;;) {
      say(`  starting ${component.name} again ${delayMs === 0 ? 'now' : `in ${delayMs / 1000} s`}`)
      await new Promise((resolve) => setTimeout(resolve, delayMs))
      delayMs = Math.min(Math.max(delayMs * 2, secondDelayMs), longestDelayMs)
      if (stopping() || held) return undefined
      try {
        const running = await startComponent(component, leash, logs)
        startedAt = Date.now()
        changed(component.name, running.pid)
        say(`✓ ${component.name} is back (process ${running.pid})`)
        return running
      } catch (error) {
        if (stopping() || held) return undefined
        say(error instanceof ComponentFailed ? `✗ ${error.message}` : `✗ ${component.name}: ${String(error)}`)
      }
    }
  }
  let watching = watch()
  return {
    async stop(signal = component.stopSignal ?? 'SIGTERM') {
      held = true
      try {
        process.kill(program.pid, signal)
      } catch {
        // It has ended, and is not started again.
      }
      await watching
    },
    async start(changes = {}) {
      const { command } = component
      const withChanges = ({ env, ...rest }: Command): Command => ({ ...rest, env: { ...env, ...changes } })
      component = { ...component, command: () => withChanges(command()) }
      program = await startComponent(component, leash, logs)
      startedAt = Date.now()
      changed(component.name, program.pid)
      held = false
      watching = watch()
    },
  }
}
