import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { apiNodeFlags } from '../../../api/nodeFlags.js'
import { buildProgram } from './buildProgram.js'
import { freePort } from '../processes/freePort.js'
import { waitUntil } from '../processes/waitUntil.js'

/** Loaded into a program before it: ends it when this process is killed. */
const endWithParent = fileURLToPath(new URL('../processes/endWithParent.mjs', import.meta.url))

/**
 * A program of the repository as production runs ours (one built file, no compiler), with the stack's settings except
 * those given.
 */
export async function startBeside(
  stack: { env: NodeJS.ProcessEnv },
  entry: string,
  env: Record<string, string>,
  execArgv: readonly string[] = [],
) {
  const child = fork(await buildProgram(new URL(`../../../${entry}`, import.meta.url)), {
    env: { ...stack.env, ...env, NODE_OPTIONS: '' },
    execArgv: ['--import', endWithParent, ...execArgv],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'], // no log lines between our tables
  })
  const exited = once(child, 'exit')
  return {
    child,
    pid: child.pid ?? 0,
    async close(): Promise<void> {
      child.kill('SIGTERM')
      const killed = setTimeout(() => child.kill('SIGKILL'), 20_000)
      await exited
      clearTimeout(killed)
    },
  }
}

/** An API beside the stack's own, with the same database, Temporal and sessions unless `env` says otherwise. */
export async function startApiBeside(
  stack: { env: NodeJS.ProcessEnv },
  env: Record<string, string> = {},
  execArgv: readonly string[] = [],
) {
  const port = Number(env['API_PORT'] ?? (await freePort()))
  const url = `http://localhost:${port}`
  const api = await startBeside(stack, 'api/main.ts', { ...env, API_PORT: String(port) }, [
    ...apiNodeFlags,
    ...execArgv,
  ])
  const ready = async () => (await fetch(`${url}/health/ready`)).ok
  try {
    await waitUntil(`the API on port ${port}`, ready, { timeoutMs: 90_000, everyMs: 250 })
  } catch (error) {
    await api.close()
    throw error
  }
  return { ...api, url }
}
