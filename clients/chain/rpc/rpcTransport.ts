import { http, HttpRequestError, type Transport } from 'viem'
import { separateCredentials } from '../../separateCredentials.js'

/**
 * viem's `http` transport, stricter: no retries, one deadline for the whole answer (viem's own ends with the headers, and
 * a body may trickle), and an answer without a `result` is an error, because "nothing" would read as "not found".
 */
export function rpcTransport(address: string, timeoutMs: number, fetchOptions: RequestInit = {}): Transport {
  const { url, headers } = separateCredentials(address)
  const transport = http(url.href, {
    retryCount: 0,
    timeout: 0,
    fetchOptions: { ...fetchOptions, headers },
    fetchFn: (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(timeoutMs) }),
  })
  return (options) => {
    const made = transport(options)
    const request = async (body: { method: string; params?: unknown }) => {
      const result: unknown = await made.request(body)
      if (result === undefined) throw new HttpRequestError({ body, details: 'no result', url: url.href })
      return result
    }
    return { ...made, request: request as typeof made.request }
  }
}
