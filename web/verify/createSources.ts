import { createHttp, fetchAgain, fetchCid, fetchOnce, type Rpc, type Sources } from '@perigee/core/receipt/gather'
import type { ProofPayload } from '@perigee/sdk/proof'
import type { WebConfig } from '../config/WebConfig.js'

const timeoutMs = 20_000

const plain = (url: string, init: RequestInit) => fetch(url, init)
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const http = createHttp({ fetch: plain, deadline })
const patient = createHttp({ fetch: fetchAgain(plain, wait), deadline })

type OnProgress = (line: string) => void

/** The configured gateway and node, and what the page shows of the service's answer. */
export function createSources(config: WebConfig, onProgress: OnProgress, shown?: ProofPayload): Sources {
  return {
    fetchCid: fetchOnce((cid, what) => fetchFromIpfs(config, cid, what, onProgress)),
    readProof: async () => shown,
    rpc: createRpc(config),
  }
}

/** The bytes a CID names, from the configured gateway. They are hashed here. */
export function fetchFromIpfs(
  { ipfsGatewayUrl }: WebConfig,
  cid: string,
  what = 'receipt',
  onProgress: OnProgress = () => undefined,
): Promise<Uint8Array> {
  return fetchCid(cid, what, { urls: ipfsGatewayUrl === null ? [] : [ipfsGatewayUrl], get: http.get, onProgress })
}

/** JSON-RPC calls to the configured node, repeated when it is busy. */
export function createRpc({ rpcUrl }: WebConfig): Rpc {
  return patient.createRpc(rpcUrl)
}

/** Fires after that long. */
export function deadline(ms = timeoutMs): AbortSignal {
  const controller = new AbortController()
  setTimeout(() => controller.abort(new DOMException('', 'TimeoutError')), ms)
  return controller.signal
}
