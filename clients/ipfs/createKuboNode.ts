import { randomUUID } from 'node:crypto'
import { CID } from 'multiformats/cid'
import { ServiceError, verifyCid } from '@perigee/core'
import { createPost, type Post, type PostInput } from '../http/createPost.js'
import type { PinningNode } from './PinningNode.js'
import { sha256 } from './sha256.js'

/** A Kubo node can also hand blocks to others. */
export interface KuboNode extends PinningNode {
  /** Where others reach it, as multiaddresses. */
  addresses(): Promise<string[]>
  connect(address: string): Promise<void>
}

/** A Kubo node, through its RPC. */
export function createKuboNode(url: string, timeoutMs = 10_000): KuboNode {
  const kubo = createKuboRpc(url, timeoutMs)
  const name = new URL(url).host
  return {
    name,
    async pin(cid, bytes, signal) {
      const stored = await reached(name, () => kubo.putBlock(bytes, signal))
      if (stored !== cid) {
        throw new ServiceError('cid_mismatch', 'the node stored the block under another CID', { node: name, cid })
      }
      verifyCid(cid, await reached(name, () => kubo.getLocalBlock(cid, signal)), sha256)
    },

    async look(cid, signal) {
      const isPinned = await reached(name, () => unlessMissing(kubo.findPin(cid, signal)))
      if (!isPinned) return 'missing'
      const bytes = await reached(name, () => unlessMissing(kubo.getLocalBlock(cid, signal)))
      if (!bytes) return 'missing'
      try {
        verifyCid(cid, bytes, sha256)
        return 'held'
      } catch {
        return 'wrong'
      }
    },

    addresses: () => reached(name, () => kubo.addresses()),
    connect: (address) => reached(name, () => kubo.connect(address)),
  }
}

/**
 * The few commands of https://docs.ipfs.tech/reference/kubo/rpc/ that we use. Its client library takes 25 MB, and
 * goes through `fetch`, which takes several times the CPU.
 */
function createKuboRpc(address: string, timeoutMs: number) {
  const post = createPost(address, timeoutMs)
  const base = new URL(address).pathname.replace(/\/+$/, '') || '/api/v0'
  const ask = (command: string, query: Record<string, string>, input: Omit<PostInput, 'path'> = {}) => {
    const path = `${base}/${command}?${new URLSearchParams({ ...query, timeout: `${timeoutMs}ms` }).toString()}`
    return answerOf(post, { ...input, path })
  }
  const parsed = (answer: Buffer): unknown => JSON.parse(answer.toString())
  return {
    /** Stores and pins. The CID that the node gives it. */
    async putBlock(bytes: Uint8Array, signal?: AbortSignal): Promise<string> {
      const boundary = randomUUID()
      const body = Buffer.concat([
        Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="data"; filename="data"\r\n\r\n`),
        bytes,
        Buffer.from(`\r\n--${boundary}--\r\n`),
      ])
      const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
      const options = { 'cid-codec': 'raw', mhtype: 'sha2-256', pin: 'true' }
      const { Key } = parsed(await ask('block/put', options, { headers, body, signal })) as { Key: string }
      return CID.parse(Key).toString()
    },

    /** `offline`: from this node's own store, not from a neighbour who happens to have it. */
    getLocalBlock: (cid: string, signal?: AbortSignal): Promise<Uint8Array> =>
      ask('block/get', { arg: cid, offline: 'true' }, { signal }),

    /** Throws when it is not pinned. */
    async findPin(cid: string, signal?: AbortSignal): Promise<boolean> {
      const { Keys } = parsed(await ask('pin/ls', { arg: cid, type: 'recursive' }, { signal })) as { Keys?: object }
      return Object.keys(Keys ?? {}).length > 0
    },

    addresses: async () => (parsed(await ask('id', {})) as { Addresses: string[] | null }).Addresses ?? [],
    connect: async (peer: string) => void (await ask('swarm/connect', { arg: peer })),
  }
}

/** Throws the node's words when it refuses, with the status in `response`. */
async function answerOf(post: Post, input: PostInput): Promise<Buffer> {
  const { status, answer } = await post(input)
  if (status === 200) return answer
  throw Object.assign(new Error(answer.toString()), { response: { status } })
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
