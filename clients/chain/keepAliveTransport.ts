import { custom, HttpRequestError, RpcRequestError, TimeoutError, type CustomTransport } from 'viem'
import { createPost, PostTimeout } from '../http/createPost.js'

interface Answer {
  result?: unknown
  error?: { code: number; message: string; data?: unknown }
}

/**
 * JSON-RPC over connections that stay open, for viem, whose own transport goes through `fetch`. Errors are viem's, so
 * nothing else changes.
 */
export function keepAliveTransport(address: string, timeoutMs: number): CustomTransport {
  const post = createPost(address, timeoutMs)
  const url = new URL(address)
  url.username = url.password = '' // viem's errors would print them
  const shown = url.href
  let id = 0

  async function call(body: { method: string; params?: unknown }): Promise<unknown> {
    const text = JSON.stringify({ jsonrpc: '2.0', id: ++id, ...body })
    const { status, answer } = await post({ headers: json, body: text }).catch((cause: Error) => {
      if (cause instanceof PostTimeout) throw new TimeoutError({ body, url: shown })
      throw new HttpRequestError({ body, cause, url: shown })
    })
    const { result, error } = parse(answer.toString('utf8'), status, (details) => {
      return new HttpRequestError({ body, details, status, url: shown })
    })
    if (error) throw new RpcRequestError({ body, error, url: shown })
    return result
  }

  return custom({ request: call }, { retryCount: 0 })
}

const json = { 'content-type': 'application/json' }

/** An RPC's own error counts whatever the status; without one, only 200 does. */
function parse(text: string, status: number, problem: (details: string) => Error): Answer {
  let answer: Answer | null
  try {
    answer = JSON.parse(text) as Answer | null
  } catch {
    throw problem('not JSON')
  }
  const error = answer?.error
  if (typeof error?.code === 'number' && typeof error.message === 'string') return { error }
  if (status !== 200 || !answer || !('result' in answer)) throw problem('not an answer')
  return answer
}
