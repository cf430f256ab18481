import { Pool } from 'undici'

/** Logs of a long range are the largest answers; a server must not be able to fill our memory. */
const maxAnswerBytes = 10 * 1024 * 1024

export class PostTimeout extends Error {}

export interface PostInput {
  /** With the query. That of the address unless given. */
  path?: string
  headers?: Record<string, string>
  body?: string | Uint8Array
  signal?: AbortSignal | undefined
}

export type Post = (input: PostInput) => Promise<{ status: number; answer: Buffer }>

/**
 * POSTs to one server over connections that stay open, through the lowest door of Node's own client: `fetch` costs some
 * three and a half times the CPU, `node:http` twice, and a publication asks eight to eleven times. User and password in
 * the address become a header. Throws when there is no answer; nothing is sent twice.
 */
export function createPost(address: string, timeoutMs: number): Post {
  const url = new URL(address)
  const pool = new Pool(url.origin, {
    ...{ maxResponseSize: maxAnswerBytes, pipelining: 1 },
    ...{ headersTimeout: 0, bodyTimeout: 0 }, // one deadline for the whole, below
  })
  const authorization = authorizationOf(url)
  return ({ path = url.pathname + url.search, headers = {}, body = '', signal }) =>
    new Promise((resolve, reject) => {
      const chunks: Buffer[] = []
      let status = 0
      let stopped: Error | null = null
      let cut: ((reason: Error) => void) | null = null // null until it has a connection

      const settle = (done: () => void) => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
        done()
      }
      const fail = (reason: Error) => settle(() => reject(reason))
      const stop = (reason: Error) => {
        stopped = reason
        fail(reason)
        cut?.(reason)
      }
      const onAbort = () => stop(new Error('the request was given up'))
      const timer = setTimeout(() => stop(new PostTimeout('no answer in time')), timeoutMs)
      if (signal?.aborted) return onAbort()
      signal?.addEventListener('abort', onAbort)

      pool.dispatch(
        { method: 'POST', path, body, headers: { ...authorization, ...headers } },
        {
          onRequestStart(controller) {
            if (stopped)
              controller.abort(stopped) // nobody waits for it any more: it is not sent
            else cut = (reason) => controller.abort(reason)
          },
          onResponseStart: (_controller, code) => void (status = code),
          onResponseData: (_controller, chunk) => void chunks.push(chunk),
          onResponseEnd: () => settle(() => resolve({ status, answer: Buffer.concat(chunks) })),
          onResponseError: (_controller, error) => fail(error),
        },
      )
    })
}

function authorizationOf({ username, password }: URL): Record<string, string> {
  if (!username && !password) return {}
  const plain = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { authorization: `Basic ${Buffer.from(plain).toString('base64')}` }
}
