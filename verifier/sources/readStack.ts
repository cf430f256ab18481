import { z } from 'zod'
import type { Hex } from '@perigee/core'
import { UsageError } from '@perigee/core/config'
import { decodeJson, readFile } from './readFile.js'

const stackSchema = z.object({
  apiUrl: z.string(),
  rpcUrl: z.string(),
  chainId: z.int(),
  contractAddress: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
  ipfsGatewayUrl: z.string(),
})

/** Where a local stack's parts are. */
export interface Stack {
  api: string
  rpc?: string | undefined
  contract?: Hex | undefined
  gateway: string
  /** Its trust anchors hold development roots, so every verdict under them says SIMULATED. */
  trustFile: string
}

/** The local stack of this folder, or null when none was started here. */
export async function readStack(cwd: string): Promise<Stack | null> {
  const bytes = await readFile(cwd, '.perigee/stack.json').catch((error: unknown) => {
    if (error instanceof UsageError) return null
    throw error
  })
  if (bytes === null) return null
  const result = stackSchema.safeParse(decodeJson(bytes, '.perigee/stack.json'))
  if (!result.success) return null
  const { apiUrl, rpcUrl, contractAddress, ipfsGatewayUrl } = result.data
  const plain = (url: string) => url.replace(/\/+$/, '')
  return {
    api: plain(apiUrl),
    rpc: rpcUrl,
    contract: contractAddress.toLowerCase() as Hex,
    gateway: plain(ipfsGatewayUrl).replace(/\/ipfs$/, ''),
    trustFile: '.perigee/trust-anchors.json',
  }
}
