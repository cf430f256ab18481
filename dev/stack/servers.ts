import { createAnvil } from './components/anvil.js'
import type { Component } from './components/Component.js'
import { createKubo } from './components/kubo.js'
import { createPostgres, databaseUrl } from './components/postgres.js'
import { localChainId, serviceName, type ServerOptions } from './components/ServerOptions.js'
import { createTemporal } from './components/temporal.js'

/** Where the four servers will be found. */
export function serverAddresses(options: Pick<ServerOptions, 'ports' | 'databasePassword'>) {
  const { ports } = options
  return {
    databaseUrl: databaseUrl(options, serviceName),
    temporalAddress: `127.0.0.1:${ports.temporal}`,
    temporalUiUrl: `http://localhost:${ports.temporalUi}`,
    namespace: serviceName,
    rpcUrl: `http://127.0.0.1:${ports.anvil}`,
    chainId: localChainId,
    ipfsApiUrl: `http://127.0.0.1:${ports.kuboApi}`,
    ipfsGatewayUrl: `http://127.0.0.1:${ports.kuboGateway}`,
  }
}

export type ServerAddresses = ReturnType<typeof serverAddresses>

/** What Perigee runs on. The tests and `npm start` start the same four. */
export function createServers(options: ServerOptions): Component[] {
  const { kubo } = options.programs
  const servers = [createPostgres(options), createTemporal(options), createAnvil(options)]
  return kubo ? [...servers, createKubo(options, kubo)] : servers
}
