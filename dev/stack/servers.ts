import { join } from 'node:path'
import { createAnvil } from './components/anvil.js'
import type { Component } from './components/Component.js'
import { createKubo } from './components/kubo.js'
import { createPostgres, databaseUrl } from './components/postgres.js'
import { createTemporal } from './components/temporal.js'
import type { Ports } from './settings/ports.js'

export interface ServerOptions {
  /** Where data is kept. */
  dir: string
  ports: Ports
  programs: { temporal: string; kubo?: string | undefined }
  /** Kept across restarts, or forgotten with `dir`. */
  durable: boolean
  databasePassword: string
  env: NodeJS.ProcessEnv
}

export interface ServerAddresses {
  databaseUrl: string
  temporalAddress: string
  temporalUiUrl: string
  namespace: string
  rpcUrl: string
  chainId: number
  ipfsApiUrl: string
  ipfsGatewayUrl: string
}

const namespace = 'perigee'
const databaseName = 'perigee'
export const localChainId = 31337

/** Where the four servers will be found. */
export function serverAddresses({
  ports,
  databasePassword,
}: Pick<ServerOptions, 'ports' | 'databasePassword'>): ServerAddresses {
  return {
    databaseUrl: databaseUrl({ port: ports.postgres.port, password: databasePassword }, databaseName),
    temporalAddress: `127.0.0.1:${ports.temporal.port}`,
    temporalUiUrl: `http://localhost:${ports.temporalUi.port}`,
    namespace,
    rpcUrl: `http://127.0.0.1:${ports.anvil.port}`,
    chainId: localChainId,
    ipfsApiUrl: `http://127.0.0.1:${ports.kuboApi.port}`,
    ipfsGatewayUrl: `http://127.0.0.1:${ports.kuboGateway.port}`,
  }
}

/**
 * Postgres, Temporal, anvil and Kubo: what Perigee runs on. The tests and `npm start` start the same four. Without its
 * program, Kubo is left out; `createKuboServer` makes it later.
 */
export function createServers(options: ServerOptions): Component[] {
  const { dir, ports, programs, durable, env, databasePassword } = options
  return [
    createPostgres({
      dir,
      durable,
      env,
      ...ports.postgres,
      password: databasePassword,
      database: databaseName,
    }),
    createTemporal({
      dir,
      env,
      namespace,
      program: programs.temporal,
      port: ports.temporal,
      ...(durable
        ? { file: join(dir, 'temporal', 'temporal.db'), uiPort: ports.temporalUi, codecPort: ports.codec.port }
        : {}),
    }),
    createAnvil({
      dir,
      env,
      port: ports.anvil,
      chainId: localChainId,
      ...(durable ? { stateDir: join(dir, 'anvil') } : {}),
    }),
    ...(programs.kubo ? [createKuboServer(options, programs.kubo)] : []),
  ]
}

/** The IPFS node, from this program. */
export function createKuboServer({ dir, env, ports }: ServerOptions, program: string): Component {
  return createKubo({
    dir,
    env,
    program,
    repo: join(dir, 'kubo'),
    apiPort: ports.kuboApi,
    gatewayPort: ports.kuboGateway,
  })
}
