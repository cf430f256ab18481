import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { buildProgram } from '../../dev/stack/buildProgram.js'
import { freePort } from '../../dev/stack/processes/freePort.js'
import { waitUntil } from '../../dev/stack/processes/waitUntil.js'
import type { BenchStack } from './openStack.js'

const endWithParent = fileURLToPath(new URL('./endWithParent.mjs', import.meta.url))

export interface Beside {
  pid: number
  child: ChildProcess
  close(): Promise<void>
}

/**
 * A program of ours as production runs it (one built file, no compiler), with all settings of the stack but those given.
 */
export async function startBeside(
  stack: BenchStack,
  entry: 'api/main.ts' | 'combined/main.ts' | 'workers/main.ts',
  env: Record<string, string>,
  execArgv: readonly string[] = [],
): Promise<Beside> {
  const child = fork(await buildProgram(new URL(`../../${entry}`, import.meta.url)), {
    env: { ...stack.env, ...env, NODE_OPTIONS: '' },
    execArgv: ['--import', endWithParent, ...execArgv],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'], // its log would be most of what is printed
  })
  const exited = once(child, 'exit')
  return {
    child,
    pid: child.pid ?? 0,
    async close() {
      child.kill('SIGTERM')
      const killed = setTimeout(() => child.kill('SIGKILL'), 20_000)
      await exited
      clearTimeout(killed)
    },
  }
}

/** An API beside the stack's own: same database, same Temporal and same sessions, unless told otherwise. */
export async function startApiBeside(stack: BenchStack, env: Record<string, string> = {}, execArgv?: string[]) {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const entry = env['SIGN_IN_PROCESS'] === 'true' ? 'combined/main.ts' : 'api/main.ts'
  const api = await startBeside(stack, entry, { API_PORT: String(port), ...env }, execArgv)
  const ready = async () => (await fetch(`${url}/health/ready`)).ok
  try {
    await waitUntil(`the API on port ${port}`, ready, { timeoutMs: 90_000, everyMs: 250 })
  } catch (error) {
    await api.close()
    throw error
  }
  return { ...api, url }
}

export type ApiBeside = Awaited<ReturnType<typeof startApiBeside>>
