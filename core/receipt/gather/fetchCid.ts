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

/** More than are in use at one time. */
const mostKept = 64

/**
 * Fetches each CID once, however many receipts name it: lists of builds and collateral serve for many. Of those it has
 * fetched it keeps the latest 64.
 */
export function fetchOnce<T>(fetch: (cid: string, what: string) => Promise<T>): typeof fetch {
  const fetched = new Map<string, Promise<T>>()
  return (cid, what) => {
    const known = fetched.get(cid)
    if (known) return known
    const asked = fetch(cid, what)
    fetched.set(cid, asked)
    if (fetched.size > mostKept) fetched.delete(fetched.keys().next().value as string)
    asked.catch(() => fetched.delete(cid)) // another try may find it
    return asked
  }
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
