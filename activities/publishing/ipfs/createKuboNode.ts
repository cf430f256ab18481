import { create, type KuboRPCClient } from 'kubo-rpc-client'
import { CID } from 'multiformats/cid'
import { ServiceError, verifyCid } from '@perigee/core'
import type { PinningNode } from './PinningNode.js'

/** A Kubo node can also hand blocks to others. */
export interface KuboNode extends PinningNode {
  /** Where others reach it, as multiaddresses. */
  addresses(): Promise<string[]>
  connect(address: string): Promise<void>
}

/** A Kubo node, through its RPC. */
export function createKuboNode(url: string, timeoutMs = 10_000): KuboNode {
  const kubo = create({ url, timeout: timeoutMs })
  const name = new URL(url).host
  const options = (signal?: AbortSignal) => ({ timeout: timeoutMs, ...(signal && { signal }) })
  return {
    name,
    async pin(cid, bytes, signal) {
      const stored = await reached(name, () =>
        kubo.block.put(bytes, { format: 'raw', mhtype: 'sha2-256', version: 1, pin: true, ...options(signal) }),
      )
      if (stored.toString() !== cid) {
        throw new ServiceError('cid_mismatch', 'the node stored the block under another CID', { node: name, cid })
      }
      verifyCid(cid, await reached(name, () => readLocal(kubo, cid, options(signal))))
    },

    async look(cid, signal) {
      const isPinned = await reached(name, () => isPinnedOn(kubo, cid, options(signal)))
      if (!isPinned) return 'missing'
      const bytes = await reached(name, () => unlessMissing(readLocal(kubo, cid, options(signal))))
      if (!bytes) return 'missing'
      try {
        verifyCid(cid, bytes)
        return 'held'
      } catch {
        return 'wrong'
      }
    },

    addresses: () => reached(name, async () => (await kubo.id(options())).addresses.map(String)),
    connect: (address) => reached(name, () => kubo.swarm.connect(address as never, options())),
  }
}

type Options = { signal?: AbortSignal; timeout: number }

/** `offline`: from this node's own store, not from a neighbour who happens to have it. */
function readLocal(kubo: KuboRPCClient, cid: string, options: Options): Promise<Uint8Array> {
  return kubo.block.get(CID.parse(cid), { offline: true, ...options } as Parameters<KuboRPCClient['block']['get']>[1])
}

async function isPinnedOn(kubo: KuboRPCClient, cid: string, options: Options): Promise<boolean> {
  const listed = async () => {
    for await (const _pin of kubo.pin.ls({ paths: CID.parse(cid), type: 'recursive', ...options })) return true
    return false
  }
  return (await unlessMissing(listed())) ?? false
}

/** Null when the node says, with its error 500, that it has not got it. */
async function unlessMissing<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer
  } catch (error) {
    if (/is not pinned|not found|could not find/i.test(error instanceof Error ? error.message : '')) return null
    throw error
  }
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
