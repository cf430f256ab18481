import { ServiceError } from '@perigee/core'
import { parseRetryAfter } from '../parseRetryAfter.js'

interface SourceRequest {
  source: string
  url: string
  headers?: Record<string, string>
  /** Makes it a POST. */
  json?: object
  timeoutMs: number
  maxBytes: number
}
export interface SourceAnswer {
  status: number
  headers: Headers
  bytes: Uint8Array
}

/**
 * One HTTP request to a source that may be slow, hostile or half dead: one deadline covers connecting, headers and
 * body; redirects are not followed (they would carry credentials to another host); the body is cut off at a limit.
 * Throws `entropy_unavailable` when no whole answer arrives.
 */
export async function fetchFromSource(request: SourceRequest): Promise<SourceAnswer> {
  const signal = AbortSignal.timeout(request.timeoutMs)
  try {
    const response = await fetch(request.url, {
      headers: { ...(request.json && { 'content-type': 'application/json' }), ...request.headers },
      ...(request.json && { method: 'POST', body: JSON.stringify(request.json) }),
      redirect: 'manual',
      signal,
    })
    return { status: response.status, headers: response.headers, bytes: await readLimited(response, request.maxBytes) }
  } catch (cause) {
    if (cause instanceof TooLong) throw malformed(request.source, 'the answer is too long')
    throw unavailable(request.source, signal.aborted ? 'timeout' : 'unreachable', {}, cause)
  }
}

const reasons: Record<number, string> = { 401: 'credentials', 402: 'credits', 403: 'credentials', 429: 'rate_limited' }

/** The error for a status that is not 200. */
export function refusal(source: string, answer: SourceAnswer, nowMs: number, step = 'sample'): ServiceError {
  const facts: Record<string, number | string> = { step, httpStatus: answer.status }
  const retryAfter = parseRetryAfter(answer.headers.get('retry-after'), nowMs)
  if (retryAfter !== null) facts.retryAfterSeconds = retryAfter
  // Not even the error text of the token endpoint: it may quote what we sent.
  const cause = step === 'token' ? undefined : new Error(excerpt(answer.bytes))
  return unavailable(source, reasons[answer.status] ?? 'refused', facts, cause)
}

export function unavailable(source: string, reason: string, facts: object = {}, cause?: unknown): ServiceError {
  const all = { source, reason, ...facts }
  return new ServiceError('entropy_unavailable', `entropy source ${source}: ${reason}`, all, cause)
}
export function malformed(source: string, why: string, cause?: unknown): ServiceError {
  return new ServiceError('entropy_invalid', `entropy source ${source}: ${why}`, { source }, cause)
}

/** JSON of an answer; anything else is `entropy_invalid`. */
export function parseJson(source: string, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw malformed(source, 'the answer is not JSON', cause)
  }
}

class TooLong extends Error {}

async function readLimited(response: Response, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = response.body?.getReader()
  for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read()) {
    size += part.value.length
    if (size > maxBytes) {
      await reader?.cancel()
      throw new TooLong()
    }
    chunks.push(part.value)
  }
  return Buffer.concat(chunks)
}

/** Errors come as JSON or plain text; a short printable piece of either helps readers of the log. */
function excerpt(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes.subarray(0, 200))
  return text.replace(/[^\x20-\x7e]+/g, ' ')
}
