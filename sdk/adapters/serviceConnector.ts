import type { CreateConnectorFn } from '@wagmi/core'
import type { ServiceClient } from '../client/ServiceClient.js'
import { createEip1193Provider, ProviderRpcError, type Eip1193Provider } from './createEip1193Provider.js'
import type { Hex, SignResult } from '../types.js'

/** What `serviceConnector` takes. */
export interface ServiceConnectorOptions {
  client: ServiceClient
  /** Called after each transaction with the slug of its proof. */
  onSent?: (result: SignResult) => void
  /** How to sign in when nobody is. Default: leave the page for the identity provider and come back. */
  login?: () => void
}

/**
 * A wagmi connector. `connect` leaves the page for sign-in when nobody is signed in; back on the page, wagmi's
 * `reconnect` finds the session. `disconnect` ends the session.
 */
export function serviceConnector(options: ServiceConnectorOptions): CreateConnectorFn<Eip1193Provider> {
  const { client, onSent } = options
  const login = options.login ?? (() => window.location.assign(client.loginUrl(window.location.href)))
  return ({ chains, emitter }) => {
    const provider = createEip1193Provider({ client, ...(onSent && { onSent }) })
    const { chainId } = client
    const accountsOf = async () => (await provider.request({ method: 'eth_requestAccounts' })) as readonly Hex[]
    const connector: ReturnType<CreateConnectorFn<Eip1193Provider>> = {
      id: 'perigee',
      name: 'Perigee',
      type: 'perigee',
      async connect(parameters = {}) {
        if (parameters.chainId !== undefined && parameters.chainId !== chainId) {
          throw new ProviderRpcError(4902, `This wallet is on chain ${chainId} only.`)
        }
        try {
          const accounts = (await accountsOf()) as never // wagmi widens this type by the `withCapabilities` flag
          return { accounts, chainId }
        } catch (error) {
          if ((error as ProviderRpcError).code === 4100 && !parameters.isReconnecting) login()
          throw error
        }
      },
      async disconnect() {
        provider.disconnect()
        await client.api.logout()
      },
      getAccounts: accountsOf,
      getChainId: async () => chainId,
      getProvider: async () => provider,
      isAuthorized: () =>
        client.api.me().then(
          () => true,
          () => false,
        ),
      async switchChain(wanted) {
        const chain = chains.find(({ id }) => id === wanted.chainId)
        if (wanted.chainId === chainId && chain) return chain
        throw new ProviderRpcError(4902, `This wallet is on chain ${chainId} only.`)
      },
      onAccountsChanged: (accounts) => emitter.emit('change', { accounts: accounts as Hex[] }),
      onChainChanged: () => undefined,
      onDisconnect: () => emitter.emit('disconnect'),
    }
    return connector
  }
}
