import { Agent, request as httpRequest, type OutgoingHttpHeaders } from 'node:http'
import { Agent as SecureAgent, request as httpsRequest } from 'node:https'
import { urlToHttpOptions } from 'node:url'

/** Logs of a long range are the largest answers; a server must not be able to fill our memory. */
const maxAnswerBytes = 10 * 1024 * 1024
const agents = { 'http:': new Agent({ keepAlive: true }), 'https:': new SecureAgent({ keepAlive: true }) }

export class PostTimeout extends Error {}

export interface PostInput {
  /** With the query. That of the address unless given. */
  path?: string
  headers?: OutgoingHttpHeaders
  body?: string | Uint8Array
  signal?: AbortSignal | undefined
}

export type Post = (input: PostInput) => Promise<{ status: number; answer: Buffer }>

/**
 * POSTs to one server over connections that stay open. `fetch` costs a worker some four times the CPU, and a
 * publication asks a dozen times. User and password in the address become a header. Throws when there is no answer.
 */
export function createPost(address: string, timeoutMs: number): Post {
  const url = new URL(address)
  const secure = url.protocol === 'https:'
  const request = secure ? httpsRequest : httpRequest
  const server = { ...urlToHttpOptions(url), method: 'POST', agent: agents[secure ? 'https:' : 'http:'] }
  return ({ path = server.path, headers = {}, body = '', signal }) =>
    new Promise((resolve, reject) => {
      const withLength = { ...headers, 'content-length': Buffer.byteLength(body) }
      const options = { ...server, path, headers: withLength, ...(signal && { signal }) }
      const outgoing = request(options, (response) => {
        const chunks: Buffer[] = []
        let size = 0
        response.on('error', reject) // a connection that dies inside the answer arrives here
        response.on('data', (chunk: Buffer) => {
          size += chunk.length
          if (size > maxAnswerBytes) outgoing.destroy(new Error('the answer is too large'))
          else chunks.push(chunk)
        })
        response.on('end', () => {
          clearTimeout(timer)
          resolve({ status: response.statusCode ?? 0, answer: Buffer.concat(chunks) })
        })
      })
      const timer = setTimeout(() => outgoing.destroy(new PostTimeout('no answer in time')), timeoutMs)
      outgoing.on('error', reject)
      outgoing.on('close', () => clearTimeout(timer))
      outgoing.end(body)
    })
}
