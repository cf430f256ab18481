import type { CreateConnectorFn } from '@wagmi/core'
import { numberToHex } from 'viem'
import type { Hex } from '../types.js'
import { createEip1193Provider, type Eip1193Options, type Eip1193Provider } from './createEip1193Provider.js'
import { ProviderRpcError } from './ProviderRpcError.js'

/** What `serviceConnector` takes. */
export interface ServiceConnectorOptions extends Eip1193Options {
  /** How to sign in when nobody is. Default: leave the page for the identity provider and come back. */
  login?: () => void
}

/**
 * A wagmi connector. `connect` leaves the page for sign-in when nobody is signed in; back on the page, wagmi's
 * `reconnect` finds the session. `disconnect` ends the session.
 */
export function serviceConnector(options: ServiceConnectorOptions): CreateConnectorFn<Eip1193Provider> {
  const { client, login = () => window.location.assign(client.loginUrl(window.location.href)), ...rest } = options
  return ({ chains, emitter }) => {
    const provider = createEip1193Provider({ client, ...rest })
    const accountsOf = async (method: string) => (await provider.request({ method })) as readonly Hex[]
    const chainIdOf = async () => Number(await provider.request({ method: 'eth_chainId' }))
    const switchTo = async (chainId: number) => {
      const chain = chains.find(({ id }) => id === chainId)
      if (!chain) throw new ProviderRpcError(4902, `Chain ${chainId} is not in the configuration of wagmi.`)
      await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: numberToHex(chainId) }] })
      return chain
    }
    provider.on('accountsChanged', (accounts: Hex[]) => connector.onAccountsChanged(accounts))
    provider.on('chainChanged', (chainId: string) => connector.onChainChanged(chainId))
    const connector: ReturnType<CreateConnectorFn<Eip1193Provider>> = {
      id: 'perigee',
      name: 'Perigee',
      type: 'perigee',
      async connect(parameters = {}) {
        try {
          const accounts = (await accountsOf('eth_requestAccounts')) as never // wagmi widens this type by the `withCapabilities` flag
          if (parameters.chainId !== undefined) await switchTo(parameters.chainId)
          return { accounts, chainId: await chainIdOf() }
        } catch (error) {
          if ((error as ProviderRpcError).code === 4100 && !parameters.isReconnecting) login()
          throw error
        }
      },
      async disconnect() {
        provider.disconnect()
        await client.api.logout()
      },
      getAccounts: () => accountsOf('eth_accounts'),
      getChainId: chainIdOf,
      getProvider: async () => provider,
      isAuthorized: () =>
        client.api.me().then(
          () => true,
          () => false,
        ),
      switchChain: ({ chainId }) => switchTo(chainId),
      onAccountsChanged: (accounts) => {
        if (accounts.length > 0) emitter.emit('change', { accounts: accounts as Hex[] })
        else emitter.emit('disconnect')
      },
      onChainChanged: (chainId) => emitter.emit('change', { chainId: Number(chainId) }),
      onDisconnect: () => emitter.emit('disconnect'),
    }
    return connector
  }
}
