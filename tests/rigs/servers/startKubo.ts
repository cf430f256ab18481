import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKubo } from '../../../dev/stack/components/kubo.js'
import { waitUntil } from '../../../dev/stack/processes/waitUntil.js'
import { freePorts } from '../../../dev/stack/settings/ports.js'
import { components } from '../../harness/index.js'

/** A real Kubo node that a test can kill and start again. It connects to nodes on this machine only. */
export async function startKubo() {
  const dir = await mkdtemp(join(tmpdir(), 'perigee-kubo-'))
  const ports = await freePorts()
  const kubo = createKubo({ dir, ports, env: process.env }, components().programs.kubo)
  await kubo.prepare?.()
  const file = join(dir, 'kubo', 'config')
  const config = JSON.parse(await readFile(file, 'utf8')) as { Addresses: object }
  const Addresses = { ...config.Addresses, Swarm: ['/ip4/127.0.0.1/tcp/0'] }
  await writeFile(file, JSON.stringify({ ...config, Addresses }))
  let child: ChildProcess | null = null
  let ended: Promise<unknown> = Promise.resolve()

  const node = {
    apiUrl: `http://127.0.0.1:${ports.kuboApi}`,
    gatewayUrl: `http://127.0.0.1:${ports.kuboGateway}`,
    rpc: async (path: string): Promise<Response> => fetch(`${node.apiUrl}/api/v0/${path}`, { method: 'POST' }),
    async start(): Promise<void> {
      await rm(join(dir, 'kubo', 'api'), { force: true })
      const { file: program, env, cwd } = kubo.command()
      child = spawn(program, ['daemon'], { env, cwd, stdio: 'ignore' })
      ended = once(child, 'exit')
      await waitUntil('kubo', () => kubo.isReady(child?.pid ?? 0), { timeoutMs: 30_000 })
    },
    async kill(): Promise<void> {
      if (!child) return
      child.kill('SIGKILL')
      await ended
      child = null
    },
    async close(): Promise<void> {
      await node.kill()
      await rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    },
  }
  await node.start()
  return node
}

export type TestKubo = Awaited<ReturnType<typeof startKubo>>
