import { CID, create, multiaddr } from 'kubo-rpc-client'
import { cidOf, ServiceError, verifyCid } from '@perigee/core'
import { deadline } from '../concurrency/untilAborted.js'
import { separateCredentials } from '../separateCredentials.js'
import type { PinningNode } from './PinningNode.js'

/** A Kubo node can also hand blocks to others. */
export interface KuboNode extends PinningNode {
  /** Where others reach it, as multiaddresses. */
  addresses(): Promise<string[]>
  connect(address: string): Promise<void>
  read(cid: string): Promise<Uint8Array | null>
}

/** A Kubo node, through its RPC. */
export function createKuboNode(address: string, timeoutMs = 10_000): KuboNode {
  const { host: name } = new URL(address)
  const kubo = create(separateCredentials(address))

  /** The client's own `timeout` only reaches the server, and a node that hangs does not answer. */
  const within = (signal?: AbortSignal) => ({ signal: deadline(timeoutMs, signal), timeout: timeoutMs })

  /** From the node's own store (`offline`), not from a neighbour that happens to have it. */
  function readLocal(cid: string, signal?: AbortSignal): Promise<Uint8Array> {
    const options = { ...within(signal), offline: true }
    return kubo.block.get(CID.parse(cid), options)
  }

  async function isPinned(cid: string, signal?: AbortSignal): Promise<boolean> {
    const pins = kubo.pin.ls({ ...within(signal), paths: CID.parse(cid), type: 'recursive' })
    for await (const pin of pins) if (pin.cid.toString() === cid) return true
    return false
  }

  return {
    name,
    async pin(cid, bytes, signal) {
      const options = { ...within(signal), cidCodec: 'raw', mhtype: 'sha2-256', pin: true }
      const stored = await reach(name, () => kubo.block.put(bytes, options))
      if (stored.toString() !== cid) {
        throw new ServiceError('cid_mismatch', 'the node stored the block under another CID', { node: name, cid })
      }
      verifyCid(cid, await reach(name, () => readLocal(cid, signal)))
    },

    async look(cid, signal) {
      if (!(await reach(name, () => unlessMissing(isPinned(cid, signal))))) return 'missing'
      const bytes = await reach(name, () => unlessMissing(readLocal(cid, signal)))
      if (!bytes) return 'missing'
      return cidOf(bytes) === cid ? 'held' : 'wrong'
    },

    addresses: async () => {
      const { addresses } = await reach(name, () => kubo.id(within()))
      return (addresses as typeof addresses | null)?.map(String) ?? []
    },
    read: (cid) => reach(name, () => unlessMissing(readLocal(cid))),
    connect: (peer) => reach(name, () => kubo.swarm.connect(multiaddr(peer), within())),
  }
}

/** Null when the node says, with its error 500, that it does not have it. */
async function unlessMissing<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer
  } catch (error) {
    if (/is not pinned|not found|could not find/i.test(error instanceof Error ? error.message : '')) return null
    throw error
  }
}

async function reach<T>(node: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    const status = (error as { response?: { status?: number } }).response?.status
    // 4xx: the node understood and refuses (403: no right to its RPC). Anything else may pass: down, slow, disk full.
    if (status !== undefined && status >= 400 && status < 500 && status !== 429 && status !== 408) {
      throw new ServiceError('pin_rejected', 'the IPFS node refuses the block', { node, status }, error)
    }
    throw new ServiceError('pin_unavailable', 'the IPFS node did not take the block', { node }, error)
  }
}
