import { setTimeout } from 'node:timers/promises'
import { ServiceError } from '@perigee/core/errors'
import { createHttp, fetchAgain, type Http, type Rpc } from '@perigee/core/receipt/gather'

/** The network, with the reader's patience for one answer. A busy node is asked again. */
export function openHttp(timeoutSeconds = 20): Http {
  const plain = (url: string, init: RequestInit) => fetch(url, init)
  const deadline = () => AbortSignal.timeout(timeoutSeconds * 1000)
  const { get } = createHttp({ fetch: plain, deadline })
  return { get, createRpc: createHttp({ fetch: fetchAgain(plain, (ms) => setTimeout(ms)), deadline }).createRpc }
}

/** Calls to one node. Without an address every call says how to give one. */
export function openRpc(http: Http, url: string | undefined): Rpc {
  if (url !== undefined) return http.createRpc(url)
  return () => Promise.reject(new ServiceError('evidence_missing', 'give a node of the event’s chain with --rpc'))
}
