import { join } from 'node:path'
import type { Component } from '../components/Component.js'
import type { Leash } from './Leash.js'
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

/** Keeps one component running: whenever it ends, says so with the end of its log, and starts it again. */
export function supervise(component: Component, first: Started, supervision: Supervision): void {
  const { leash, logs, say, changed, stopping } = supervision
  const logFile = join(logs, `${component.name}.log`)
  let program = first
  let startedAt = Date.now()
  let delayMs = 0

  const watch = async () => {
    for (;;) {
      const { code, signal } = await program.exited
      if (stopping()) return
      changed(component.name, undefined)
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
      if (stopping()) return undefined
      try {
        const running = await startComponent(component, leash, logs)
        startedAt = Date.now()
        changed(component.name, running.pid)
        say(`✓ ${component.name} is back (process ${running.pid})`)
        return running
      } catch (error) {
        if (stopping()) return undefined
        say(error instanceof ComponentFailed ? `✗ ${error.message}` : `✗ ${component.name}: ${String(error)}`)
      }
    }
  }
  void watch()
}
