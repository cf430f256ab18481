import { create, type KuboRPCClient } from 'kubo-rpc-client'
import { CID } from 'multiformats/cid'
import { ServiceError, verifyCid } from '@perigee/core'
import type { PinningNode } from './PinningNode.js'

const timeoutMs = 10_000

/** A Kubo node, through its RPC. */
export function createKuboNode(url: string): PinningNode {
  const kubo = create({ url, timeout: timeoutMs })
  const name = new URL(url).host
  return {
    name,
    async pin(cid, bytes, signal) {
      const options = signal ? { signal } : {}
      const stored = await reached(name, () =>
        kubo.block.put(bytes, { format: 'raw', mhtype: 'sha2-256', version: 1, pin: true, ...options }),
      )
      if (stored.toString() !== cid) {
        throw new ServiceError('cid_mismatch', 'the node stored the block under another CID', { node: name, cid })
      }
      verifyCid(cid, await reached(name, () => readLocal(kubo, cid, options)))
    },
  }
}

/** `offline`: from this node's own store, not from a neighbour who happens to have it. */
function readLocal(kubo: KuboRPCClient, cid: string, options: { signal?: AbortSignal }): Promise<Uint8Array> {
  return kubo.block.get(CID.parse(cid), { offline: true, ...options } as Parameters<KuboRPCClient['block']['get']>[1])
}

async function reached<T>(node: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    const status = (error as { response?: { status?: number } }).response?.status
    // 4xx: the node understood and will not (403: no right to its RPC). Anything else may pass: down, slow, disk full.
    if (status !== undefined && status >= 400 && status < 500 && status !== 429 && status !== 408) {
      throw new ServiceError('pin_rejected', 'the IPFS node refuses the block', { node, status }, error)
    }
    throw new ServiceError('pin_unavailable', 'the IPFS node did not take the block', { node }, error)
  }
}
