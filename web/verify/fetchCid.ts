import { verifyCid } from '@perigee/core/bytes'
import { ServiceError } from '@perigee/core/errors'
import type { WebConfig } from '../config/WebConfig.js'

const mostBytes = 1024 * 1024
const timeoutMs = 20_000

/** The bytes a CID names. The gateway needs no trust, because they are hashed here. */
export async function fetchCid({ ipfsGatewayUrl }: WebConfig, cid: string): Promise<Uint8Array> {
  if (ipfsGatewayUrl === null) throw new ServiceError('evidence_missing', 'No IPFS gateway is configured.')
  const url = `${ipfsGatewayUrl}/ipfs/${encodeURIComponent(cid)}?format=raw`
  let bytes: Uint8Array
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(url, { headers: { accept: 'application/vnd.ipld.raw' }, signal })
    if (!response.ok) throw new Error(`it answered ${response.status}`)
    bytes = new Uint8Array(await response.arrayBuffer())
  } catch (cause) {
    const host = new URL(ipfsGatewayUrl).host
    throw new ServiceError('evidence_missing', `The IPFS gateway ${host} does not give ${cid}.`, { cid }, cause)
  }
  if (bytes.length > mostBytes) throw new ServiceError('evidence_missing', 'The gateway sent too much.', { cid })
  verifyCid(cid, bytes)
  return bytes
}
