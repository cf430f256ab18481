import type { Arrangement } from './Arrangement.js'
import type { Component } from './components/Component.js'
import { acceptsConnections, answersEnclave, answersHttp } from './components/answers.js'
import { createProgram } from './components/program.js'
import { createBuiltWeb, createWeb } from './components/web.js'
import { createWorker } from './components/worker.js'
import type { Ports } from './settings/ports.js'
import type { ServerAddresses } from './servers.js'

/** Programs that need nothing running: the two stand-ins and the enclave. */
export function createFoundations(env: NodeJS.ProcessEnv, ports: Ports): Component[] {
  return [
    createProgram({
      name: 'identity-provider',
      entry: 'dev/identityProvider/main.ts',
      env,
      ports: [ports.identityProvider],
      isReady: () => answersHttp(`http://127.0.0.1:${ports.identityProvider.port}/.well-known/openid-configuration`),
    }),
    createProgram({
      name: 'satellite',
      entry: 'dev/satellite/main.ts',
      env,
      ports: [ports.satellite],
      isReady: () => acceptsConnections(ports.satellite.port),
    }),
    createProgram({
      name: 'codec', // decodes payloads for the Temporal UI
      entry: 'temporal/codecServer/main.ts',
      env,
      ports: [ports.codec],
      isReady: () => acceptsConnections(ports.codec.port),
    }),
    createProgram({
      name: 'enclave',
      entry: 'enclave/main.ts',
      env,
      ports: [ports.enclave],
      isReady: () => answersEnclave(env, ports.enclave.port),
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
  return [
    createWorker('worker', env, servers),
    createApi('api', env, ports.api.port),
    web === 'built' ? createBuiltWeb(env, ports) : createWeb(env, ports),
  ]
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
    ports: [{ port, variable: 'API_PORT' }],
    entry: 'api/main.ts',
    isReady: () => answersHttp(`http://127.0.0.1:${port}/health/ready`),
  })
}
