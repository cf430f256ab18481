import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Browser } from '../../api/testing/Browser.js'
import { freePort } from '../../dev/stack/processes/freePort.js'
import { startStack } from '../../dev/stack/startStack.js'
import { buildProgram } from '../../dev/stack/buildProgram.js'

const reportMemory = fileURLToPath(new URL('./reportMemory.mjs', import.meta.url))

export interface Memory {
  rssMb: number
  heapMb: number
}

/** An API process as production runs it (one built file, no compiler), beside the stack of `npm start`. */
export async function openApi(env: Record<string, string> = {}) {
  const dir = await mkdtemp(join(tmpdir(), 'perigee-bench-'))
  const stackEnv = { ...process.env, LOG_LEVEL: 'warn', ...env }
  const stack = await startStack({ dir: join(dir, '.perigee'), ports: 'free', env: stackEnv })
  const { apiUrl, webUrl, processes } = stack.file
  const port = await freePort()
  const url = `http://localhost:${port}`
  // Beside the stack's own API, with all its settings but the port: same database, same Temporal, same secrets.
  const given = readFileSync(`/proc/${processes['api']}/environ`, 'utf8').split('\0').filter(Boolean)
  const settings = Object.fromEntries(given.map((line) => [line.split('=')[0], line.slice(line.indexOf('=') + 1)]))
  const program = await buildProgram(new URL('../../api/main.ts', import.meta.url))
  const child = fork(program, {
    env: { ...settings, ...env, API_PORT: String(port), NODE_OPTIONS: '' },
    execArgv: ['--expose-gc', '--import', reportMemory],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  while (!(await answers(`${url}/health/ready`))) await new Promise((resolve) => setTimeout(resolve, 200))

  return {
    url,
    pid: child.pid ?? 0,
    stack: stack.file,
    webOrigin: new URL(webUrl).origin,

    /** After garbage collection, so that what remains is what is kept. */
    async memory(collect = true): Promise<Memory> {
      child.send(collect ? 'collect' : 'look')
      const [memory] = (await once(child, 'message')) as [Memory]
      return memory
    },

    /** A new session, made by this API: whatever the identity provider sends to the stack's own goes to it instead. */
    async signIn(email: string, browser = new Browser()): Promise<Browser> {
      let at = new URL(`${url}/auth/dev?login_hint=${encodeURIComponent(email)}`)
      for (let hops = 0; hops < 12; hops++) {
        const answer = await browser.fetch(at)
        await answer.arrayBuffer()
        const next = new URL(answer.headers.get('location') ?? '', at)
        if (next.href.startsWith(webUrl)) return browser
        at = new URL(next.href.replace(apiUrl, url))
      }
      throw new Error('the sign-in went round in circles')
    },

    async close(): Promise<void> {
      child.kill('SIGTERM')
      await once(child, 'exit')
      await stack.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

export type MeasuredApi = Awaited<ReturnType<typeof openApi>>

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    (answer) => answer.ok,
    () => false,
  )
}
