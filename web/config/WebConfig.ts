// By path: Vite loads this file with its own configuration, where packages of this workspace cannot be resolved.
import { EnvReader, type Env } from '../../core/config/EnvReader.js'
import { parseFormerContracts } from '../../core/config/formerContracts.js'
import type { Hex } from '../../core/bytes/index.js'

/** What the pages must know about the deployment. All of it is public. */
export interface WebConfig {
  apiBaseUrl: string
  chainId: number
  rpcUrl: string
  identityProvider: string
  /** Base address of an IPFS gateway, without `/ipfs/…`. */
  ipfsGatewayUrl: string | null
  /** Those that publish receipts: today's first, then those before it. */
  contracts: readonly Hex[]
}

/** viem's own defaults, repeated here so that the policy can name them. A test compares them. */
export const defaultRpcUrls: Record<number, string> = {
  11155111: 'https://11155111.rpc.thirdweb.com',
  84532: 'https://sepolia.base.org',
}

/** Reads the configuration from environment variables. Throws a ConfigError naming every variable that is wrong. */
export function parseWebConfig(variables: Env): WebConfig {
  const env = new EnvReader(variables)
  const config = readWebConfig(env)
  env.finish()
  return config
}

/** The same for a program that reads more variables and reports all problems together. */
export function readWebConfig(env: EnvReader): WebConfig {
  const url = (name: string, fallback?: string) => env.url(name, ['http:', 'https:'], fallback).replace(/\/+$/, '')
  const chainId = env.integer('VITE_CHAIN_ID', { min: 1, max: Number.MAX_SAFE_INTEGER })
  return {
    apiBaseUrl: url('VITE_API_URL'),
    chainId,
    rpcUrl: url('VITE_RPC_URL', defaultRpcUrls[chainId]),
    identityProvider: env.text('VITE_IDENTITY_PROVIDER', 'google'),
    ipfsGatewayUrl: url('VITE_IPFS_GATEWAY_URL', '') || null,
    contracts: readContracts(env),
  }
}

function readContracts(env: EnvReader): Hex[] {
  const today = env.text('VITE_CONTRACT_ADDRESS', '').toLowerCase()
  if (today && !/^0x[0-9a-f]{40}$/.test(today)) env.problem('VITE_CONTRACT_ADDRESS must be an address')
  const former = parseFormerContracts(env, 'VITE_FORMER_CONTRACTS').map(({ contract }) => contract)
  if (former.length > 0 && !today) env.problem('VITE_FORMER_CONTRACTS needs VITE_CONTRACT_ADDRESS')
  return today ? [...new Set([today as Hex, ...former])] : []
}
