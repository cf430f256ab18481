import { ServiceError } from '@perigee/core/errors'
import { fetchCid, fetchOnce, type GetBytes, type Rpc, type Sources } from '@perigee/core/receipt/gather'
import type { ProofPayload } from '@perigee/sdk/proof'
import { createPublicClient, http } from 'viem'
import type { WebConfig } from '../config/WebConfig.js'

const timeoutMs = 20_000

/** The configured gateway and node, and what the page shows of the service's answer. */
export function createSources(config: WebConfig, shown?: ProofPayload): Sources {
  return {
    fetchCid: fetchOnce((cid, what) => fetchFromIpfs(config, cid, what)),
    readProof: async () => shown,
    rpc: createRpc(config),
  }
}

/** The bytes a CID names, from the configured gateway. They are hashed here. */
export function fetchFromIpfs({ ipfsGatewayUrl }: WebConfig, cid: string, what = 'receipt'): Promise<Uint8Array> {
  return fetchCid(cid, what, { urls: ipfsGatewayUrl === null ? [] : [ipfsGatewayUrl], get })
}

const get: GetBytes = async (url, { headers, limit }) => {
  const { host } = new URL(url)
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(timeoutMs) })
    if (!response.ok) throw new Error(`it answered ${response.status}`)
    const bytes = new Uint8Array(await response.arrayBuffer())
    if (bytes.length > limit) throw new Error(`it sent more than ${limit} bytes`)
    return bytes
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'unknown error'
    throw new ServiceError('evidence_missing', `the IPFS gateway ${host} does not have it: ${reason}`, {}, cause)
  }
}

/** JSON-RPC calls to the configured node, repeated by viem when the node is busy. */
export function createRpc({ rpcUrl }: WebConfig): Rpc {
  const { request } = createPublicClient({ transport: http(rpcUrl) })
  return async (method, params) => {
    try {
      return await request({ method, params } as never)
    } catch (cause) {
      const { details, shortMessage } = cause as { details?: string; shortMessage?: string }
      const reason = details ?? shortMessage ?? 'no answer'
      throw new ServiceError('chain_unavailable', `the chain’s node says: ${reason}`, {}, cause)
    }
  }
}
