import { verifyCid } from '../../bytes/index.js'
import { ServiceError } from '../../errors/index.js'

/** Gets at most `limit` bytes from an address, or throws a ServiceError. */
export type GetBytes = (url: string, options: { headers: Record<string, string>; limit: number }) => Promise<Uint8Array>

const limit = 1024 * 1024
const headers = { accept: 'application/vnd.ipld.raw' }

export interface Gateways {
  /** Base addresses, without `/ipfs`. */
  urls: readonly string[]
  get: GetBytes
  onProgress?: (line: string) => void
}

/**
 * The bytes a CID names, from the first gateway that has them. Gateways need no trust, because the bytes are hashed
 * here. Throws `cid_mismatch` if any gateway sent other bytes, otherwise the last failure.
 */
export async function fetchCid(cid: string, what: string, gateways: Gateways): Promise<Uint8Array> {
  const { urls, get, onProgress = () => undefined } = gateways
  let failure = new ServiceError('evidence_missing', 'no IPFS gateway to ask')
  for (const gateway of urls) {
    onProgress(`fetching ${what} ${cid} from ${new URL(gateway).host}`)
    try {
      const bytes = await get(`${gateway}/ipfs/${encodeURIComponent(cid)}?format=raw`, { headers, limit })
      verifyCid(cid, bytes)
      return bytes
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      onProgress(`  ${error.message}`)
      if (failure.code !== 'cid_mismatch') failure = error
    }
  }
  throw failure
}
