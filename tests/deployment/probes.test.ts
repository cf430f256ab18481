import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { podOf, readManifests, type Container } from './readManifests.js'

/* What the kubelet asks of the programs. */

const deployments = [...readManifests('base'), ...readManifests('components/webhooks')].filter(
  ({ kind }) => kind === 'Deployment',
)
const workers = deployments.filter(({ metadata }) => metadata.name.startsWith('worker-'))
const containerOf = (name: string) => {
  const found = deployments.find(({ metadata }) => metadata.name === name)
  return (found && podOf(found).containers[0]) as Container
}
const commandOf = (probe: object | undefined) => (probe as { exec: { command: string[] } }).exec.command

let page = ''
const server = createServer((_request, answer) => answer.end(page))
beforeAll(async () => void (await once(server.listen(0, '127.0.0.1'), 'listening')))
afterAll(() => void server.close())

/** The exit code of a probe's command, asked of a worker whose metrics are `text`. */
async function askWorker(probe: object | undefined, text: string): Promise<number> {
  page = text
  const [program = '', ...args] = commandOf(probe)
  const { port } = server.address() as { port: number }
  const env = { PATH: process.env['PATH'], WORKER_METRICS_ADDRESS: `127.0.0.1:${port}` }
  const [code] = (await once(spawn(program, args, { env }), 'exit')) as [number]
  return code
}

test.each(workers.map(({ metadata, spec }) => [metadata.name, spec] as const))(
  '%s is ready when it polls, as its image says, and stays so before the next one starts',
  (name, spec) => {
    const { startupProbe, readinessProbe } = containerOf(name)
    const worker = /AS worker\b[^]*?HEALTHCHECK [^\n]* CMD (\[.*\])/.exec(readFileSync('Dockerfile', 'utf8'))?.[1] ?? ''
    for (const probe of [startupProbe, readinessProbe]) expect(commandOf(probe)).toEqual(JSON.parse(worker))
    expect(spec['minReadySeconds']).toBe(10)
  },
)

test('a worker that serves its metrics and does not poll yet is not ready', async () => {
  const { readinessProbe } = containerOf('worker-sign')
  expect(await askWorker(readinessProbe, 'perigee_worker_alive_at 1\n')).toBe(1)
  expect(await askWorker(readinessProbe, 'temporal_num_pollers{task_queue="sign"} 2\n')).toBe(0)
})

test('a worker is alive while its JavaScript sets the time, not while Core alone serves the page', async () => {
  const { livenessProbe } = containerOf('worker-sign')
  const now = Math.floor(Date.now() / 1000)
  expect(await askWorker(livenessProbe, `temporal_num_pollers 2\nperigee_worker_alive_at ${now - 10}\n`)).toBe(0)
  expect(await askWorker(livenessProbe, `temporal_num_pollers 2\nperigee_worker_alive_at ${now - 120}\n`)).toBe(1)
  expect(await askWorker(livenessProbe, 'temporal_num_pollers 2\n')).toBe(1)
})

test('the API gets requests as long as it serves itself: what all APIs share would take every one of them away', () => {
  const { livenessProbe, readinessProbe } = containerOf('api')
  expect(livenessProbe).toMatchObject({ httpGet: { path: '/health' } })
  expect(readinessProbe).toMatchObject({ httpGet: { path: '/health/serving' } })
})
