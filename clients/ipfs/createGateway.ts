import { cidOf, ServiceError } from '@perigee/core'
import { deadline } from '../concurrency/untilAborted.js'

const timeoutMs = 10_000

/** A trustless gateway: it gives the raw block, and we verify its hash. */
export function createGateway(url: string) {
  const base = url.replace(/\/+$/, '')
  const name = new URL(url).host
  return {
    name,
    /** The block's bytes; null when the gateway does not have it; `wrong` when it gives other bytes. */
    async read(cid: string, signal?: AbortSignal): Promise<Uint8Array | 'wrong' | null> {
      let answer: Response
      let bytes: Uint8Array
      try {
        answer = await fetch(`${base}/ipfs/${cid}?format=raw`, {
          headers: { accept: 'application/vnd.ipld.raw' },
          signal: deadline(timeoutMs, signal),
        })
        bytes = new Uint8Array(await answer.arrayBuffer())
      } catch (error) {
        throw new ServiceError('pin_unavailable', 'the gateway did not answer', { node: name }, error)
      }
      if (answer.status === 404 || answer.status === 410) return null
      if (!answer.ok) {
        throw new ServiceError('pin_unavailable', 'the gateway refused', { node: name, status: answer.status })
      }
      return cidOf(bytes) === cid ? bytes : 'wrong'
    },
    /** Throws `pin_unavailable` unless the block is seen: what a stranger cannot fetch is not published. */
    async see(cid: string, signal?: AbortSignal): Promise<void> {
      const seen = await this.read(cid, signal)
      if (!(seen instanceof Uint8Array)) {
        const what = seen === 'wrong' ? 'the gateway gives other bytes' : 'the gateway does not find the block yet'
        throw new ServiceError('pin_unavailable', what, { node: name, cid })
      }
    },
  }
}

export type Gateway = ReturnType<typeof createGateway>
