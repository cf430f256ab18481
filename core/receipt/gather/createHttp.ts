import { ServiceError, withCode } from '../../errors/index.js'
import type { GetBytes } from './fetchCid.js'
import type { Rpc } from '../chain/readLogs.js'

/** `core` has neither network nor clock: both are given. */
export interface Network {
  fetch(url: string, init: RequestInit): Promise<Response>
  /** Fires when an answer, its body included, has taken too long. */
  deadline(): AbortSignal
}

export interface Http {
  get: GetBytes
  /** JSON-RPC calls to one node. */
  createRpc(url: string): Rpc
}

/** Ten thousand logs of the contract are about half of it. */
const rpcLimit = 16 * 1024 * 1024

/**
 * How page and CLI read from gateways, nodes and services. None of them is trusted: reading stops at the limit or the
 * deadline, and every failure is a ServiceError.
 */
export function createHttp({ fetch, deadline }: Network): Http {
  const ask = async (url: string, init: RequestInit, limit: number): Promise<Uint8Array> => {
    try {
      const response = await fetch(url, { ...init, signal: deadline() })
      if (response.ok) return await readBounded(response, limit, url)
      await response.body?.cancel()
      const { status } = response
      throw new ServiceError('service_unavailable', `${hostOf(url)} answered ${status}`, { status })
    } catch (error) {
      if (error instanceof ServiceError) throw error
      throw new ServiceError('service_unavailable', `${hostOf(url)} cannot be reached: ${reason(error)}`, {}, error)
    }
  }

  const createRpc = (url: string): Rpc => {
    const headers = { 'content-type': 'application/json' }
    return async (method, params) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const bytes = await ask(url, { method: 'POST', headers, body }, rpcLimit).catch((error: ServiceError) => {
        throw new ServiceError('chain_unavailable', `the chain’s node: ${error.message}`, {}, error)
      })
      const { result, error } = parseAnswer(bytes)
      if (error !== undefined) {
        const words = String(Object(error).message).slice(0, 200)
        throw new ServiceError('chain_unavailable', `the chain’s node says to ${method}: ${words}`)
      }
      if (result === undefined) throw new ServiceError('chain_unavailable', 'the chain’s node sent no result')
      return result
    }
  }

  return { get: (url, { headers, limit }) => ask(url, { headers }, limit), createRpc }
}

const parseAnswer = (bytes: Uint8Array): { result?: unknown; error?: unknown } =>
  withCode('chain_unavailable', 'the chain’s node did not answer in JSON', () =>
    Object(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))),
  )

async function readBounded(response: Response, limit: number, url: string): Promise<Uint8Array> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
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
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}

// Only the host: a URL may hold an access key.
const hostOf = (url: string): string => new URL(url).host

function reason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  if (error.name === 'TimeoutError') return 'it took too long'
  const cause = error.cause as { code?: string } | undefined
  return cause?.code ?? error.message
}
