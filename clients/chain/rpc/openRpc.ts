import { BaseError, createClient } from 'viem'
import { rpcTransport } from './rpcTransport.js'

/** An RPC that is asked by itself. Logs name it by its host: paths and queries hold providers' keys. */
export function openRpc(url: string, timeoutMs: number, fetchOptions: RequestInit = {}) {
  const client = createClient({ transport: rpcTransport(url, timeoutMs, fetchOptions) })
  return { host: new URL(url).host, client }
}

/** Why a request failed, without the address. */
export const detailsOf = (error: unknown): string => (error instanceof BaseError ? error.details : String(error))
