import { ServiceError } from '@perigee/core'

const timeoutMs = 20_000

interface FetchOptions {
  headers?: Record<string, string>
  /** A JSON body makes it a POST. */
  json?: unknown
  limit: number
}

/**
 * Bytes of an answer with status 200, at most `limit` of them, within 20 seconds. The other side is not trusted: an
 * endless or slow answer ends in `service_unavailable`, never in a hang.
 */
export async function fetchBytes(url: string, { headers = {}, json, limit }: FetchOptions): Promise<Uint8Array> {
  const signal = AbortSignal.timeout(timeoutMs)
  const body =
    json === undefined
      ? { headers }
      : { method: 'POST', body: JSON.stringify(json), headers: { ...headers, 'content-type': 'application/json' } }
  try {
    const response = await fetch(url, { signal, ...body })
    if (!response.ok) {
      await response.body?.cancel()
      throw new ServiceError('service_unavailable', `${hostOf(url)} answered ${response.status}`, {
        status: response.status,
      })
    }
    return await readBounded(response, limit, url)
  } catch (error) {
    if (error instanceof ServiceError) throw error
    throw new ServiceError('service_unavailable', `${hostOf(url)} cannot be reached: ${reason(error)}`, {}, error)
  }
}

async function readBounded(response: Response, limit: number, url: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = response.body?.getReader()
  for (;;) {
    const next = await reader?.read()
    if (next === undefined || next.done) break
    size += next.value.length
    if (size > limit) {
      await reader?.cancel()
      throw new ServiceError('payload_too_large', `${hostOf(url)} sent more than ${limit} bytes`)
    }
    chunks.push(next.value)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

// Only the host: a URL may hold an access key.
const hostOf = (url: string): string => new URL(url).host

function reason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  if (error.name === 'TimeoutError') return 'no answer within 20 seconds'
  const cause = error.cause as { code?: string } | undefined
  return cause?.code ?? error.message
}
