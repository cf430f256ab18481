import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Arrangement } from '../Stack.js'
import { answersEnclave, answersHttp } from '../components/answers.js'
import type { Component } from '../components/Component.js'
import { createProgram, repositoryRoot } from '../components/program.js'
import { createWorker } from '../components/worker.js'
import type { ServerAddresses } from '../servers.js'
import type { Ports } from '../settings/ports.js'

const local = (port: number, path = '/') => `http://127.0.0.1:${port}${path}`

/** Programs that need nothing running: the two stand-ins, the decoder of the Temporal UI's payloads, and the enclave. */
export function createFoundations(env: NodeJS.ProcessEnv, ports: Ports): Component[] {
  return [
    createProgram({
      name: 'identity-provider',
      entry: 'dev/identityProvider/main.ts',
      env,
      isReady: () => answersHttp(local(ports.identityProvider, '/.well-known/openid-configuration')),
    }),
    createProgram({
      name: 'satellite',
      entry: 'dev/satellite/main.ts',
      env,
      isReady: () => answersHttp(local(ports.satellite, '/health')),
    }),
    createProgram({
      name: 'codec',
      entry: 'temporal/codecServer/main.ts',
      env,
      isReady: () => answersHttp(local(ports.codec), 404), // it has no page of its own
    }),
    createProgram({
      name: 'enclave',
      entry: 'enclave/main.ts',
      env,
      isReady: () => answersEnclave(env, ports.enclave),
    }),
  ]
}

/** Programs that need the servers, the schema and the contract. */
export function createApplications(
  env: NodeJS.ProcessEnv,
  ports: Ports,
  servers: ServerAddresses,
  web: 'vite' | 'built' = 'vite',
): Component[] {
  return [createWorker('worker', env, servers), createApi('api', env, ports.api), createWeb(env, ports.web, web)]
}

/** Several workers and APIs, as the arrangement says, and no web app. */
export function arrangeApplications(
  arrangement: Arrangement,
  env: NodeJS.ProcessEnv,
  servers: ServerAddresses,
): Component[] {
  const numbered = (name: string, index: number) => (index === 0 ? name : `${name}-${index + 1}`)
  const envOf = (program: string) => ({ ...env, ...arrangement.envOf(program) })
  const workers = Array.from({ length: arrangement.workers }, (_, index) => numbered('worker', index))
  return [
    ...workers.map((name) => createWorker(name, envOf(name), servers, arrangement.workerEntry)),
    ...arrangement.apiPorts.map((port, index) =>
      createApi(numbered('api', index), envOf(numbered('api', index)), port),
    ),
  ]
}

function createApi(name: string, env: NodeJS.ProcessEnv, port: number): Component {
  return createProgram({
    name,
    env: { ...env, API_PORT: String(port) },
    entry: 'api/main.ts',
    isReady: () => answersHttp(local(port, '/health/ready')),
  })
}

/** The web app: its sources, served by Vite, or the static build in `WEB_ROOT` as production serves it. */
function createWeb(env: NodeJS.ProcessEnv, port: number, kind: 'vite' | 'built'): Component {
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
