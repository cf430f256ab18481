import { ServiceError, verifyCid } from '@perigee/core'
import type { Console } from '../Console.js'
import { fetchBytes } from './fetchBytes.js'

/** Public gateways that serve raw blocks. They need no trust: what they send is hashed here. */
export const publicGateways = ['https://trustless-gateway.link', 'https://ipfs.io', 'https://dweb.link']

const limit = 1024 * 1024

/** The bytes a CID names, from the first gateway that has them. Throws the last failure, or `cid_mismatch` if any lied. */
export async function fetchCid(
  cid: string,
  what: string,
  gateways: readonly string[],
  io: Console,
): Promise<Uint8Array> {
  let failure = new ServiceError('evidence_missing', 'no gateway to ask')
  for (const gateway of gateways) {
    io.progress(`fetching ${what} ${cid} from ${new URL(gateway).host}`)
    try {
      const headers = { accept: 'application/vnd.ipld.raw' }
      const bytes = await fetchBytes(`${gateway}/ipfs/${cid}?format=raw`, { headers, limit })
      verifyCid(cid, bytes)
      return bytes
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      io.progress(`  ${error.message}`)
      if (failure.code !== 'cid_mismatch') failure = error
    }
  }
  throw failure
}
