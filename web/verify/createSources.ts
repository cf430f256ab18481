import { createHttp, fetchCid, fetchOnce, type Rpc, type Sources } from '@perigee/core/receipt/gather'
import type { ProofPayload } from '@perigee/sdk/proof'
import type { WebConfig } from '../config/WebConfig.js'

const timeoutMs = 20_000
const busy = [429, 502, 503, 504]
const waitsMs = [250, 1000]

const http = createHttp({ fetch: (url, init) => fetch(url, init), deadline })
/** Public nodes refuse bursts: their calls only read, so they are repeated. */
const patient = createHttp({ fetch: fetchAgain, deadline })

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
  return fetchCid(cid, what, { urls: ipfsGatewayUrl === null ? [] : [ipfsGatewayUrl], get: http.get })
}

/** JSON-RPC calls to the configured node, repeated when it is busy. */
export function createRpc({ rpcUrl }: WebConfig): Rpc {
  return patient.createRpc(rpcUrl)
}

async function fetchAgain(url: string, init: RequestInit): Promise<Response> {
  for (const waitMs of waitsMs) {
    const response = await fetch(url, init)
    if (!busy.includes(response.status)) return response
    await response.body?.cancel()
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
  return fetch(url, init)
}

function deadline(): AbortSignal {
  const controller = new AbortController()
  setTimeout(() => controller.abort(new DOMException('', 'TimeoutError')), timeoutMs)
  return controller.signal
}
