import { z } from 'zod'
import { ServiceError } from '@perigee/core'
import { deadline } from '../concurrency/untilAborted.js'
import type { Gateway } from './createGateway.js'
import type { KuboNode } from './createKuboNode.js'
import type { PinningNode } from './PinningNode.js'

interface PinningServiceOptions {
  name: string
  /** Of the API: `…/pins` is below it. */
  url: string
  token: string
  /** Nodes of ours that have the block: the service fetches it from them. */
  origins: readonly KuboNode[]
  /** To read back through: the service's own status does not count. */
  gateway: Gateway
  waitMs?: number
  pollMs?: number
}

const pinStatus = z.object({
  requestid: z.string().min(1).max(512),
  status: z.enum(['queued', 'pinning', 'pinned', 'failed']),
  pin: z.object({ cid: z.string() }),
  delegates: z.array(z.string()).max(20).default([]),
})
const pinResults = z.object({ results: z.array(pinStatus) })
type PinStatus = z.infer<typeof pinStatus>

/** A hosted provider that speaks the IPFS Pinning Service API 1.0. It gets no bytes from us: it fetches them by CID. */
export function createPinningService(options: PinningServiceOptions): PinningNode {
  const { name, origins, gateway, waitMs = 30_000, pollMs = 500 } = options
  const base = options.url.replace(/\/+$/, '')

  async function call<T>(method: string, path: string, schema: z.ZodType<T>, signal?: AbortSignal, body?: object) {
    let answer: Response
    let text: string
    try {
      answer = await fetch(`${base}${path}`, {
        method,
        headers: { authorization: `Bearer ${options.token}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        signal: deadline(10_000, signal),
      })
      text = await answer.text()
    } catch (error) {
      throw new ServiceError('pin_unavailable', 'the pinning service did not answer', { node: name }, error)
    }
    const { status } = answer
    if (status >= 400) {
      const isFinal = status < 500 && status !== 408 && status !== 429 && status !== 404
      const code = isFinal ? 'pin_rejected' : 'pin_unavailable'
      throw new ServiceError(code, 'the pinning service refuses the request', { node: name, status })
    }
    try {
      return schema.parse(JSON.parse(text || 'null'))
    } catch (error) {
      throw new ServiceError('pin_unavailable', 'the pinning service gave an invalid answer', { node: name }, error)
    }
  }

  async function find(cid: string, signal?: AbortSignal): Promise<PinStatus | null> {
    const query = new URLSearchParams({ cid, status: 'queued,pinning,pinned,failed', limit: '10' })
    const { results } = await call('GET', `/pins?${query.toString()}`, pinResults, signal)
    const ours = results.filter((result) => result.pin.cid === cid)
    return ours.find(({ status }) => status === 'pinned') ?? ours[0] ?? null
  }

  async function request(cid: string, signal?: AbortSignal): Promise<PinStatus> {
    const addresses = await Promise.allSettled(origins.map((node) => node.addresses()))
    const from = addresses.flatMap((one) => (one.status === 'fulfilled' ? one.value : [])).slice(0, 20)
    const body = { cid, name: `perigee ${cid}`, ...(from.length > 0 && { origins: from }) }
    return call('POST', '/pins', pinStatus, signal, body)
  }

  /** Connects our nodes to the service's own, so that it need not find ours. */
  async function connectTo(delegates: readonly string[]): Promise<void> {
    await Promise.allSettled(origins.flatMap((node) => delegates.map((address) => node.connect(address))))
  }

  return {
    name,
    async pin(cid, _bytes, signal) {
      let pin = await find(cid, signal)
      if (pin?.status === 'failed') {
        await call('DELETE', `/pins/${encodeURIComponent(pin.requestid)}`, z.unknown(), signal)
        pin = null
      }
      pin ??= await request(cid, signal)
      if (pin.pin.cid !== cid) {
        throw new ServiceError('cid_mismatch', 'the pinning service pinned another CID', { node: name, cid })
      }
      if (pin.status !== 'pinned') await connectTo(pin.delegates)
      const until = Date.now() + waitMs
      while (pin.status !== 'pinned') {
        if (pin.status === 'failed' || Date.now() > until || signal?.aborted) {
          throw new ServiceError('pin_unavailable', `the pinning service says ${pin.status}`, { node: name, cid })
        }
        await new Promise((resolve) => setTimeout(resolve, pollMs))
        pin = await call('GET', `/pins/${encodeURIComponent(pin.requestid)}`, pinStatus, signal)
      }
      await gateway.see(cid, signal)
    },

    async look(cid, signal) {
      if ((await find(cid, signal))?.status !== 'pinned') return 'missing'
      const bytes = await gateway.read(cid, signal)
      return bytes === null ? 'missing' : bytes === 'wrong' ? 'wrong' : 'held'
    },
  }
}
