import { createPublicClient, defineChain, http, type Chain, type PublicClient } from 'viem'
import { baseSepolia, sepolia } from 'viem/chains'
import { ServiceError } from '../errors/ServiceError.js'
import type { ServiceClientConfig } from '../types.js'

/** A viem client for the configured chain: Sepolia and Base Sepolia by name, any other with its `rpcUrl`. */
export function createChainClient({ chainId, rpcUrl }: ServiceClientConfig): PublicClient {
  const known = [sepolia, baseSepolia].find(({ id }) => id === chainId)
  return createPublicClient({ chain: known ?? unknownChain(chainId, rpcUrl), transport: http(rpcUrl) }) as PublicClient
}

function unknownChain(id: number, rpcUrl: string | undefined): Chain {
  if (!rpcUrl) throw new ServiceError('rpc_url_required', `Chain ${id} has no default RPC: give rpcUrl.`)
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
  return defineChain({ id, name: `Chain ${id}`, nativeCurrency, rpcUrls: { default: { http: [rpcUrl] } } })
}
