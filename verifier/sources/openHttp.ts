import { ServiceError } from '@perigee/core/errors'
import { createHttp, type Http, type Rpc } from '@perigee/core/receipt/gather'

/** The network, with the reader's patience for one answer. */
export function openHttp(timeoutSeconds = 20): Http {
  return createHttp({
    fetch: (url, init) => fetch(url, init),
    deadline: () => AbortSignal.timeout(timeoutSeconds * 1000),
  })
}

/** Calls to one node. Without an address every call says how to give one. */
export function openRpc(http: Http, url: string | undefined): Rpc {
  if (url !== undefined) return http.createRpc(url)
  return () => Promise.reject(new ServiceError('evidence_missing', 'give a node of the event’s chain with --rpc'))
}
