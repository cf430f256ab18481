import { ServiceError } from '@perigee/core/errors'
import type { Rpc } from '@perigee/core/receipt/gather'
import { fetchBytes } from './fetchBytes.js'
import { decodeJson } from './readFile.js'

const limit = 4 * 1024 * 1024

/** JSON-RPC calls to one node. Without an address every call says how to give one. */
export function createRpc(url: string | undefined): Rpc {
  return async (method, params) => {
    if (url === undefined) throw new ServiceError('evidence_missing', 'give a node of the event’s chain with --rpc')
    const answer = await fetchBytes(url, { json: { jsonrpc: '2.0', id: 1, method, params }, limit }).catch((error) => {
      throw new ServiceError('chain_unavailable', error instanceof Error ? error.message : 'no answer', {}, error)
    })
    const body = decodeJson(answer, 'the node’s answer') as { result?: unknown; error?: { message?: unknown } } | null
    if (body?.error !== undefined) {
      throw new ServiceError('chain_unavailable', `${method}: ${String(body.error.message).slice(0, 200)}`)
    }
    if (body?.result === undefined) throw new ServiceError('chain_unavailable', 'the node sent no result')
    return body.result
  }
}
