import type { Component } from './components/Component.js'
import { acceptsConnections, answersEnclave, answersHttp } from './components/answers.js'
import { createProgram } from './components/program.js'
import { createBuiltWeb, createWeb } from './components/web.js'
import { createWorker } from './components/worker.js'
import type { Ports } from './ports.js'
import type { ServerAddresses } from './servers.js'

/** Programs that need nothing running: the two stand-ins and the enclave. */
export function createFoundations(env: NodeJS.ProcessEnv, ports: Ports): Component[] {
  return [
    createProgram({
      ...{ name: 'identity-provider', entry: 'dev/identityProvider/main.ts', env, ports: [ports.identityProvider] },
      isReady: () => answersHttp(`http://127.0.0.1:${ports.identityProvider.port}/.well-known/openid-configuration`),
    }),
    createProgram({
      ...{ name: 'satellite', entry: 'dev/satellite/main.ts', env, ports: [ports.satellite] },
      isReady: () => acceptsConnections(ports.satellite.port),
    }),
    createProgram({
      ...{ name: 'enclave', entry: 'enclave/main.ts', env, ports: [ports.enclave] },
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
    createWorker(env, servers),
    createProgram({
      ...{ name: 'api', entry: 'api/main.ts', env, ports: [ports.api] },
      isReady: () => answersHttp(`http://127.0.0.1:${ports.api.port}/health/ready`),
    }),
    web === 'built' ? createBuiltWeb(env, ports) : createWeb(env, ports),
  ]
}
