import { lookup } from 'node:dns'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { ServiceError } from '@perigee/core'
import { parseRetryAfter } from '../parseRetryAfter.js'
import { isPublicAddress } from './isPublicAddress.js'

/** Answers are read this far and dropped: only the status counts. */
const answerBytes = 16_384

export interface Post {
  url: string
  headers: Record<string, string>
  body: string
  allowPrivate: boolean
  /** How long all of it may take. */
  withinMs: number
}

/**
 * Sends one request to an address that an application chose. It follows no redirect, and unless `allowPrivate` it connects
 * to public addresses only. Throws a ServiceError when no answer came.
 */
export async function postOnce(post: Post): Promise<{ status: number; retryAfterSeconds: number }> {
  const url = new URL(post.url)
  const address = url.hostname.replace(/^\[|\]$/g, '')
  // A literal address is not looked up, so it is checked here.
  if (!post.allowPrivate && isIP(address) !== 0 && !isPublicAddress(address)) throw notPublic()
  try {
    const answer = await send(url, post)
    await drop(answer)
    return {
      status: answer.statusCode ?? 0,
      retryAfterSeconds: parseRetryAfter(answer.headers['retry-after'], Date.now()) ?? 0,
    }
  } catch (error) {
    if (error instanceof ServiceError) throw error
    const reason = String((error as NodeJS.ErrnoException).code ?? 'unknown')
    throw new ServiceError('webhook_undelivered', 'the application did not answer', { reason }, error)
  }
}

function send(url: URL, { headers, body, allowPrivate, withinMs }: Post): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      agent: false, // a connection of its own
      signal: AbortSignal.timeout(withinMs),
      ...(!allowPrivate && { lookup: lookupPublic }),
    })
    outgoing.once('response', resolve).once('error', reject)
    // An answer of 101 closes the request with neither an answer nor an error.
    outgoing.once('close', () => reject(new Error('closed without an answer')))
    outgoing.end(body)
  })
}

/**
 * Looks a name up and refuses it if any of its addresses is not public. The connection goes to the addresses that were
 * checked here, so a name that changes between the check and the connection gains nothing.
 */
const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, [])
    const [first] = addresses
    if (!first || !addresses.every(({ address }) => isPublicAddress(address))) return callback(notPublic(), [])
    return options.all ? callback(null, addresses) : callback(null, first.address, first.family)
  })
}

function notPublic(): ServiceError {
  return new ServiceError('webhook_refused', 'the application’s address is not public')
}

async function drop(answer: IncomingMessage): Promise<void> {
  let left = answerBytes
  try {
    // Leaving the loop ends the connection.
    for await (const chunk of answer) if ((left -= (chunk as Buffer).length) < 0) break
  } catch {
    // The status has been received.
  }
}
