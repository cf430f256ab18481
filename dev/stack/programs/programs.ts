import { createRequire } from 'node:module'
import { join } from 'node:path'
import { apiNodeFlags } from '../../../api/nodeFlags.js'
import type { Arrangement, StackOptions } from '../StackOptions.js'
import { answersEnclave, answersHttp } from '../components/answers.js'
import type { Component } from '../components/Component.js'
import { createProgram, repositoryRoot } from '../components/program.js'
import { createWorker } from '../components/worker.js'
import type { ServerAddresses } from '../servers.js'
import type { Ports } from '../settings/ports.js'

const local = (port: number, path = '/') => `http://127.0.0.1:${port}${path}`

/** Programs that need nothing running: the two stand-ins, the decoder of the Temporal UI's payloads, and the enclave. */
export function createFoundations(env: NodeJS.ProcessEnv, ports: Ports): Component[] {
  const program = (name: string, entry: string, isReady: () => Promise<boolean>) =>
    createProgram({ name, entry, env, isReady })
  const discovery = local(ports.identityProvider, '/.well-known/openid-configuration')
  return [
    program('identity-provider', 'dev/identityProvider/main.ts', () => answersHttp(discovery)),
    program('satellite', 'dev/satellite/main.ts', () => answersHttp(local(ports.satellite, '/health'))),
    // It has no page of its own.
    program('codec', 'temporal/codecServer/main.ts', () => answersHttp(local(ports.codec), 404)),
    program('enclave', 'enclave/main.ts', () => answersEnclave(env, ports.enclave)),
  ]
}

/** Programs that need the servers, the schema and the contract. */
export function createApplications(
  env: NodeJS.ProcessEnv,
  ports: Ports,
  servers: ServerAddresses,
  web: StackOptions['web'],
): Component[] {
  return [createWorker('worker', env, servers), createApi('api', env, ports.api), createWeb(env, ports.web, web)]
}

/** Several workers and APIs, as the arrangement says, and no web app. */
export function arrangeApplications(arrangement: Arrangement, env: NodeJS.ProcessEnv, servers: ServerAddresses) {
  const { apiPorts, workers, workerEntry, nodeFlags = [] } = arrangement
  const numbered = (name: string, index: number) => (index === 0 ? name : `${name}-${index + 1}`)
  const envOf = (program: string) => ({ ...env, ...arrangement.envOf(program) })
  const worker = (name: string) => createWorker(name, envOf(name), servers, nodeFlags, workerEntry)
  const api = (name: string, port: number) => createApi(name, envOf(name), port, nodeFlags)
  return [
    ...Array.from({ length: workers }, (_, index) => worker(numbered('worker', index))),
    ...apiPorts.map((port, index) => api(numbered('api', index), port)),
  ]
}

function createApi(name: string, env: NodeJS.ProcessEnv, port: number, flags: readonly string[] = []): Component {
  return createProgram({
    name,
    env: { ...env, API_PORT: String(port) },
    entry: 'api/main.ts',
    flags: [...apiNodeFlags, ...flags],
    isReady: () => answersHttp(local(port, '/health/ready')),
  })
}

/** The web app: its sources, served by Vite, or the static build in `WEB_ROOT` as production serves it. */
function createWeb(env: NodeJS.ProcessEnv, port: number, kind: StackOptions['web']): Component {
  const built = createProgram({
    name: 'web',
    entry: 'web/server/main.ts',
    env: { ...env, WEB_PORT: String(port) },
    isReady: () => answersHttp(local(port)),
  })
  if (kind === 'built') return built
  const vite = join(createRequire(import.meta.url).resolve('vite/package.json'), '../bin/vite.js')
  return {
    name: 'web',
    command: () => ({
      file: process.execPath,
      args: [vite, '--host', '127.0.0.1', '--port', String(port), '--strictPort'],
      env,
      cwd: join(repositoryRoot, 'web'),
    }),
    isReady: built.isReady,
  }
}
