import { randomUUID } from 'node:crypto'
import { create, type KuboRPCClient } from 'kubo-rpc-client'
import { CID } from 'multiformats/cid'
import { ServiceError, verifyCid } from '@perigee/core'
import { createPost, type Post } from '../createPost.js'
import type { PinningNode } from './PinningNode.js'
import { sha256 } from './sha256.js'

/** A Kubo node can also hand blocks to others. */
export interface KuboNode extends PinningNode {
  /** Where others reach it, as multiaddresses. */
  addresses(): Promise<string[]>
  connect(address: string): Promise<void>
}

/**
 * A Kubo node, through its RPC. What every receipt does, storing a block and reading it, is asked without its client
 * library, which goes through `fetch`: a quarter of the CPU.
 */
export function createKuboNode(url: string, timeoutMs = 10_000): KuboNode {
  const kubo = create({ url, timeout: timeoutMs })
  const blocks = createBlocks(url, timeoutMs)
  const name = new URL(url).host
  const options = (signal?: AbortSignal) => ({ timeout: timeoutMs, ...(signal && { signal }) })
  return {
    name,
    async pin(cid, bytes, signal) {
      const stored = await reached(name, () => blocks.put(bytes, signal))
      if (stored !== cid) {
        throw new ServiceError('cid_mismatch', 'the node stored the block under another CID', { node: name, cid })
      }
      verifyCid(cid, await reached(name, () => blocks.getLocal(cid, signal)), sha256)
    },

    async look(cid, signal) {
      const isPinned = await reached(name, () => isPinnedOn(kubo, cid, options(signal)))
      if (!isPinned) return 'missing'
      const bytes = await reached(name, () => unlessMissing(blocks.getLocal(cid, signal)))
      if (!bytes) return 'missing'
      try {
        verifyCid(cid, bytes, sha256)
        return 'held'
      } catch {
        return 'wrong'
      }
    },

    addresses: () => reached(name, async () => (await kubo.id(options())).addresses.map(String)),
    connect: (address) => reached(name, () => kubo.swarm.connect(address as never, options())),
  }
}

/** `block/put` and `block/get` of https://docs.ipfs.tech/reference/kubo/rpc/. */
function createBlocks(address: string, timeoutMs: number) {
  const post = createPost(address, timeoutMs)
  const base = new URL(address).pathname.replace(/\/+$/, '') || '/api/v0'
  const pathOf = (command: string) => `${base}/${command}&timeout=${timeoutMs}ms`
  return {
    /** Stores and pins. The CID that the node gives it. */
    async put(bytes: Uint8Array, signal?: AbortSignal): Promise<string> {
      const boundary = randomUUID()
      const body = Buffer.concat([
        Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="data"; filename="data"\r\n\r\n`),
        bytes,
        Buffer.from(`\r\n--${boundary}--\r\n`),
      ])
      const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
      const path = pathOf('block/put?cid-codec=raw&mhtype=sha2-256&pin=true')
      const answer = await answerOf(post, { path, headers, body, signal })
      return CID.parse((JSON.parse(answer.toString()) as { Key: string }).Key).toString()
    },

    /** `offline`: from this node's own store, not from a neighbour who happens to have it. */
    getLocal: (cid: string, signal?: AbortSignal): Promise<Uint8Array> =>
      answerOf(post, { path: pathOf(`block/get?arg=${encodeURIComponent(cid)}&offline=true`), signal }),
  }
}

/** Throws as the client library does: the node's words, and the status in `response`. */
async function answerOf(post: Post, input: Parameters<Post>[0]): Promise<Buffer> {
  const { status, answer } = await post(input)
  if (status === 200) return answer
  throw Object.assign(new Error(answer.toString()), { response: { status } })
}

type Options = { signal?: AbortSignal; timeout: number }

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
