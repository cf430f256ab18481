/** What the pages must know about the deployment. All of it is public. */
export interface WebConfig {
  apiBaseUrl: string
  chainId: number
  rpcUrl: string
  identityProvider: string
  /** Base address of an IPFS gateway, without `/ipfs/…`. */
  ipfsGatewayUrl: string | null
  contractAddress: string | null
}

export type Env = Record<string, string | undefined>

const names = {
  apiBaseUrl: 'VITE_API_URL',
  chainId: 'VITE_CHAIN_ID',
  rpcUrl: 'VITE_RPC_URL',
  identityProvider: 'VITE_IDENTITY_PROVIDER',
  ipfsGatewayUrl: 'VITE_IPFS_GATEWAY_URL',
  contractAddress: 'VITE_CONTRACT_ADDRESS',
} as const

/** viem's own defaults, said here so that the policy can name them. A test compares. */
export const defaultRpcUrls: Record<number, string> = {
  11155111: 'https://11155111.rpc.thirdweb.com',
  84532: 'https://sepolia.base.org',
}

/** Reads the configuration from environment variables. Throws one Error naming every variable that is wrong. */
export function parseWebConfig(env: Env): WebConfig {
  const wrong: string[] = []
  const url = (name: string, required = false): string | null => {
    const text = env[name]
    if (!text && !required) return null
    if (text && /^https?:/.test(text) && URL.canParse(text)) return text.replace(/\/+$/, '')
    wrong.push(`${name} must be an http or https address`)
    return null
  }
  const chainId = Number(env[names.chainId])
  if (!Number.isSafeInteger(chainId) || chainId <= 0) wrong.push(`${names.chainId} must be the number of a chain`)
  const rpcUrl = url(names.rpcUrl, !(chainId in defaultRpcUrls)) ?? defaultRpcUrls[chainId] ?? ''
  const contractAddress = env[names.contractAddress] || null
  if (contractAddress && !/^0x[0-9a-fA-F]{40}$/.test(contractAddress)) {
    wrong.push(`${names.contractAddress} must be an address`)
  }
  const config: WebConfig = {
    apiBaseUrl: url(names.apiBaseUrl, true) ?? '',
    chainId,
    rpcUrl,
    identityProvider: env[names.identityProvider] || 'google',
    ipfsGatewayUrl: url(names.ipfsGatewayUrl),
    contractAddress,
  }
  if (wrong.length > 0) throw new Error(`Wrong configuration of web: ${wrong.join('; ')}`)
  return config
}
