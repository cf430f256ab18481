import { createAnvil } from './components/chain/anvil.js'
import type { Component } from './components/Component.js'
import { createKubo } from './components/kubo.js'
import { createPostgres, databaseUrl } from './components/postgres.js'
import { localChainId, serviceName } from './components/names.js'
import type { ServerOptions } from './components/ServerOptions.js'
import { createTemporal } from './components/temporal.js'
import type { StackTemporal } from './stackTemporal.js'

/** Where the four servers will be found. */
export function serverAddresses(options: Pick<ServerOptions, 'ports' | 'databasePassword' | 'temporal'>) {
  const { ports } = options
  const devServer: StackTemporal = {
    temporalAddress: `127.0.0.1:${ports.temporal}`,
    namespace: serviceName,
    temporalUiUrl: `http://localhost:${ports.temporalUi}`,
    temporalAccess: {},
  }
  return {
    databaseUrl: databaseUrl(options, serviceName),
    ...(options.temporal ?? devServer),
    rpcUrl: `http://127.0.0.1:${ports.anvil}`,
    chainId: localChainId,
    ipfsApiUrl: `http://127.0.0.1:${ports.kuboApi}`,
    ipfsGatewayUrl: `http://127.0.0.1:${ports.kuboGateway}`,
  }
}

export type ServerAddresses = ReturnType<typeof serverAddresses>

/** What Perigee runs on. The tests and `npm start` start the same four, or three when Temporal is elsewhere. */
export function createServers(options: ServerOptions): Component[] {
  const { kubo } = options.programs
  return [
    createPostgres(options),
    ...(options.temporal ? [] : [createTemporal(options)]),
    createAnvil(options),
    ...(kubo ? [createKubo(options, kubo)] : []),
  ]
}
