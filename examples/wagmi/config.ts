import { ServiceClient } from '@perigee/sdk/client'
import { serviceConnector } from '@perigee/sdk/wagmi'
import { createConfig, http } from 'wagmi'
import { foundry } from 'wagmi/chains'

const { VITE_API_URL, VITE_RPC_URL } = import.meta.env as Record<string, string | undefined>
const rpcUrl = VITE_RPC_URL ?? 'http://localhost:8545'
const client = new ServiceClient({
  apiBaseUrl: VITE_API_URL ?? 'http://localhost:8080',
  rpcUrl,
  chainId: foundry.id,
  identityProvider: 'dev',
})

export const config = createConfig({
  chains: [foundry],
  connectors: [serviceConnector({ client })],
  transports: { [foundry.id]: http(rpcUrl) },
})
