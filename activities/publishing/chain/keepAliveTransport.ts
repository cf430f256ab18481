import { Agent, request as httpRequest, type RequestOptions } from 'node:http'
import { Agent as SecureAgent, request as httpsRequest } from 'node:https'
import { custom, HttpRequestError, RpcRequestError, TimeoutError, type CustomTransport } from 'viem'

/** Logs of a long range are the largest answers; an RPC must not be able to fill our memory. */
const maxAnswerBytes = 10 * 1024 * 1024
const agents = { 'http:': new Agent({ keepAlive: true }), 'https:': new SecureAgent({ keepAlive: true }) }

interface Answer {
  result?: unknown
  error?: { code: number; message: string; data?: unknown }
}

/**
 * JSON-RPC over connections that stay open, for viem. Its own transport goes through `fetch`, which costs a worker some
 * four times the CPU of a plain request; a publication asks an RPC ten times. Errors are viem's, so nothing else changes.
 */
export function keepAliveTransport(address: string, timeoutMs: number): CustomTransport {
  const url = new URL(address)
  const secure = url.protocol === 'https:'
  const options: RequestOptions = {
    method: 'POST',
    agent: agents[secure ? 'https:' : 'http:'],
    // Node takes user and password out of the address by itself; viem's errors would print them.
    ...(url.username && { auth: `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}` }),
  }
  url.username = url.password = ''
  const shown = url.href
  let id = 0

  async function call(body: { method: string; params?: unknown }): Promise<unknown> {
    const text = JSON.stringify({ jsonrpc: '2.0', id: ++id, ...body })
    const { status, answer } = await new Promise<{ status: number; answer: string }>((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
      const fail = (cause: Error) => reject(new HttpRequestError({ body, cause, url: shown }))
      const outgoing = (secure ? httpsRequest : httpRequest)(url, { ...options, headers }, (response) => {
        const chunks: Buffer[] = []
        let size = 0
        response.on('error', fail) // a connection that dies inside the answer arrives here
        response.on('data', (chunk: Buffer) => {
          size += chunk.length
          if (size > maxAnswerBytes) outgoing.destroy(new Error('the answer is too large'))
          else chunks.push(chunk)
        })
        response.on('end', () => {
          clearTimeout(timer)
          resolve({ status: response.statusCode ?? 0, answer: Buffer.concat(chunks).toString('utf8') })
        })
      })
      const timer = setTimeout(() => {
        reject(new TimeoutError({ body, url: shown }))
        outgoing.destroy()
      }, timeoutMs)
      outgoing.on('error', fail)
      outgoing.on('close', () => clearTimeout(timer))
      outgoing.end(text)
    })
    const { result, error } = parse(answer, status, (details) => {
      return new HttpRequestError({ body, details, status, url: shown })
    })
    if (error) throw new RpcRequestError({ body, error, url: shown })
    return result
  }

  return custom({ request: call }, { retryCount: 0 })
}

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
