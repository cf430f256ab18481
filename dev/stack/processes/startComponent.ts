import { mkdir, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Component } from '../components/Component.js'
import type { Leash, RunningProgram } from './Leash.js'
import { waitUntil } from './waitUntil.js'

const shownLines = 12

/** A program of the stack that did not start, or ended; the message names it and shows the end of its log. */
export class ComponentFailed extends Error {
  constructor(component: string, what: string, logFile: string, lastLines: string) {
    super(`${component} ${what}. The end of ${logFile}:\n${lastLines}`)
  }
}

/** A component that serves, and where in its log this run begins. */
export interface Started extends RunningProgram {
  logStart: number
}

/** Starts one component and waits until it serves. */
export async function startComponent(component: Component, leash: Leash, logs: string): Promise<Started> {
  const logFile = join(logs, `${component.name}.log`)
  await mkdir(logs, { recursive: true })
  await component.prepare?.()
  const from = await logSize(logFile)
  const { stopSignal = 'SIGTERM', graceMs = 10_000, startTimeoutMs = 120_000, askEveryMs = 50 } = component
  const program = await leash.spawn({ ...component.command(), logFile, stopSignal, graceMs })
  const failed = async (what: string) =>
    new ComponentFailed(component.name, what, logFile, await lastLines(logFile, from, shownLines))
  const died = program.exited.then(async ({ code, signal }) => {
    throw await failed(`ended while starting (${signal ?? `exit code ${code}`})`)
  })
  const limits = { timeoutMs: startTimeoutMs, everyMs: askEveryMs }
  const ready = waitUntil(component.name, () => component.isReady(program.pid), limits).catch(async () => {
    throw await failed(`was not ready after ${startTimeoutMs / 1000} s`)
  })
  try {
    await Promise.race([ready, died])
    await component.afterStart?.().catch(async (error: unknown) => {
      throw await failed(`could not be set up (${error instanceof Error ? error.message : String(error)})`)
    })
  } catch (error) {
    died.catch(() => undefined)
    ready.catch(() => undefined)
    await program.stop()
    throw error
  }
  died.catch(() => undefined) // from here on the caller watches
  return { ...program, logStart: from }
}

/** The last lines that a program wrote since `from`. */
export async function lastLines(logFile: string, from: number, count: number): Promise<string> {
  const bytes = await readFile(logFile).catch(() => Buffer.alloc(0))
  const text = stripVTControlCharacters(bytes.subarray(from).toString('utf8'))
  const lines = text.trimEnd().split('\n')
  const last = lines.slice(-count).map((line) => `    ${line.slice(0, 400)}`)
  return lines.join('').trim() === '' ? '    (it wrote nothing)' : last.join('\n')
}

async function logSize(logFile: string): Promise<number> {
  const tooLong = 20 * 1024 * 1024
  const size = (await stat(logFile).catch(() => undefined))?.size ?? 0
  if (size < tooLong) return size
  await rename(logFile, `${logFile}.1`) // the one before that is forgotten
  return 0
}

/** Starts several at once. When one fails the others are still waited for, so that nothing is half-way afterwards. */
export async function startAll(components: Component[], leash: Leash, logs: string): Promise<Map<string, Started>> {
  const started = new Map<string, Started>()
  const results = await Promise.allSettled(
    components.map(async (component) => started.set(component.name, await startComponent(component, leash, logs))),
  )
  const failure = results.find((result) => result.status === 'rejected')
  if (failure) throw failure.reason
  return started
}
