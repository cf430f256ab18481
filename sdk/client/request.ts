import { ServiceError } from '../errors/ServiceError.js'

/** One call to the service. */
export interface RequestOptions {
  method?: 'GET' | 'POST'
  body?: unknown
  signal?: AbortSignal | undefined
  /** Attempts in total. More than one only where repeating the request is safe. */
  attempts?: number
}

export interface Transport {
  baseUrl: string
  timeoutMs: number
  fetch: typeof fetch
  /** `include` where a session is needed: it is a cookie of the service's origin. */
  credentials: RequestCredentials
}

const longestWaitMs = 10_000

/** Calls the service with a timeout and, where allowed, retries after failures that may be temporary. */
export async function request(transport: Transport, path: string, options: RequestOptions = {}): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask(transport, path, options)
    } catch (error) {
      const known = error as ServiceError
      const waitMs = known.retryAfterMs ?? 250 * 4 ** (attempt - 1)
      if (!known.retryable || attempt >= (options.attempts ?? 1) || waitMs > longestWaitMs) throw known
      await wait(waitMs, options.signal)
    }
  }
}

async function ask(transport: Transport, path: string, options: RequestOptions): Promise<unknown> {
  const { method = 'GET', body, signal } = options
  const controller = new AbortController()
  const stop = () => controller.abort()
  let timedOut = false
  const timer = setTimeout(() => {
    timedOut = true
    stop()
  }, transport.timeoutMs)
  if (signal?.aborted) stop()
  signal?.addEventListener('abort', stop)
  try {
    const response = await transport.fetch(transport.baseUrl + path, {
      method,
      credentials: transport.credentials,
      // The service demands this type on every unsafe request, even without a body, because a form cannot send it.
      headers: { accept: 'application/json', ...(method === 'POST' && { 'content-type': 'application/json' }) },
      signal: controller.signal,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw problem(response, text)
    return text === '' ? undefined : parse(text, response.status)
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause
    if (signal?.aborted) throw new ServiceError('aborted', 'The request was stopped.', { cause })
    if (timedOut) {
      throw new ServiceError('timeout', `The service did not answer within ${transport.timeoutMs} ms.`, { cause })
    }
    throw new ServiceError('network_error', 'The service could not be reached.', { cause })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}

function parse(text: string, status: number): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ServiceError('bad_response', 'The answer is not JSON.', { status, cause })
  }
}

/** Rebuilds the service's error from problem+json (RFC 9457); a proxy's own page becomes `http_error`. */
function problem(response: Response, text: string): ServiceError {
  const { status, headers } = response
  let body: Record<string, unknown> = {}
  try {
    body = Object(JSON.parse(text))
  } catch {
    // Not from the service: only the status counts.
  }
  const seconds = Number(headers.get('retry-after') ?? NaN)
  const { code, detail, title, requestId, facts } = body
  return new ServiceError(
    typeof code === 'string' ? code : 'http_error',
    String(detail ?? title ?? `The service answered ${status}.`),
    {
      status,
      requestId: typeof requestId === 'string' ? requestId : headers.get('x-request-id'),
      retryAfterMs: Number.isFinite(seconds) ? seconds * 1000 : null,
      facts: Object(facts),
    },
  )
}

/** Resolves after `ms`; rejects with `aborted` when the signal fires. */
function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(new ServiceError('aborted', 'The request was stopped.'))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}
