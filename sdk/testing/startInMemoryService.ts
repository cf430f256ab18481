import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Hex } from '../types.js'
import { createAccounts } from './createAccounts.js'
import { createMemoryChain } from './chain/createMemoryChain.js'
import { createMessageSigner } from './createMessageSigner.js'
import { createProofs, defaultContract, type Publishing } from './createProofs.js'
import { Problem } from './Problem.js'
import { createRoutes } from './createRoutes.js'

/** How the in-memory service behaves. */
export interface InMemoryServiceOptions {
  chainId?: number
  port?: number
  /** Where receipts are published. Nothing is deployed: calls of `publish` appear as its events. */
  contractAddress?: Hex
  /** Origins a browser may call from. Default: any. */
  origins?: readonly string[]
  publishing?: Publishing
}

/** What the next matching request meets: an error answer, or an answer that is lost after the work was done. */
export interface Fault {
  path: string
  /** Answer with this problem instead of doing the work. */
  problem?: {
    status: number
    code: string
    detail?: string
    retryAfterSeconds?: number
    facts?: Record<string, unknown>
  }
  /** Do the work, then cut the connection. */
  loseAnswer?: boolean
  /** Do the work at once, and answer this much later. */
  delayMs?: number
  times?: number
}

/** The whole service and a chain in this process: real HTTP, real signatures, real states, in memory only. For tests. */
export interface InMemoryService {
  /** For `apiBaseUrl`. */
  url: string
  /** For `rpcUrl`. */
  rpcUrl: string
  chainId: number
  contractAddress: Hex
  /** An origin that it allows: scripts send it as `Origin`, as browsers do by themselves. */
  origin: string
  /** Signs a person in and returns the `Cookie` header of the session. */
  signIn(email: string): string
  setBalance(address: string, wei: bigint): void
  balance(address: string): bigint
  /** Moves a proof to `pending_onchain`. */
  pin(slug: string): void
  /** Moves a proof to `complete`. */
  complete(slug: string): Promise<void>
  /** Moves a proof to the failed state that follows its current one. */
  fail(slug: string): void
  /** Makes coming requests fail. */
  inject(fault: Fault): void
  /** Every request so far, as `METHOD /path`; calls of the chain as `RPC method`. */
  requests: string[]
  close(): Promise<void>
}

/** Starts the in-memory service on a free port of this machine (Node only). */
export async function startInMemoryService(options: InMemoryServiceOptions = {}): Promise<InMemoryService> {
  const { chainId = 31337, port = 0, publishing = { pinMs: 0, confirmMs: 0 } } = options
  const contract = options.contractAddress ?? defaultContract
  const { createServer } = await import('node:http')
  const chain = createMemoryChain(chainId)
  const accounts = createAccounts(chainId)
  let url = ''
  const proofs = createProofs(chain, { chainId, contract, gatewayUrl: () => `${url}/ipfs`, publishing })
  const requests: string[] = []
  const faults: Fault[] = []
  const signMessage = createMessageSigner(chainId, accounts.checkOwner)
  const route = createRoutes({ accounts, signMessage, proofs, chain, requests, origins: options.origins })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.split('?')[0] ?? '/'
    if (request.method !== 'OPTIONS' && path !== '/rpc') requests.push(`${request.method} ${path}`)
    const fault = request.method === 'OPTIONS' ? undefined : takeFault(faults, path)
    if (fault?.delayMs) {
      const end = response.end.bind(response) as (text?: string) => void
      response.end = ((text?: string) => setTimeout(() => end(text), fault.delayMs)) as unknown as ServerResponse['end']
    }
    if (fault?.problem) {
      const { status, code, detail = code, retryAfterSeconds, facts } = fault.problem
      return route(request, response, new Problem(status, code, detail, retryAfterSeconds, facts))
    }
    if (fault?.loseAnswer) {
      // The work is done in full; only the answer is thrown away.
      response.end = (() => request.socket.destroy()) as unknown as ServerResponse['end']
    }
    return route(request, response)
  }

  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  url = `http://localhost:${(server.address() as { port: number }).port}`
  return {
    url,
    rpcUrl: `${url}/rpc`,
    chainId,
    contractAddress: proofs.contract,
    origin: options.origins?.[0] ?? 'http://localhost:3000',
    signIn: (email) => `perigee_session=${accounts.signIn(email)}`,
    setBalance: chain.setBalance,
    balance: chain.balance,
    pin: proofs.pin,
    complete: proofs.complete,
    fail: proofs.fail,
    inject: (fault) => void faults.push({ ...fault }),
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function takeFault(faults: Fault[], path: string): Fault | undefined {
  const index = faults.findIndex((fault) => fault.path === path)
  const fault = faults[index]
  if (!fault) return undefined
  fault.times = (fault.times ?? 1) - 1
  if (fault.times <= 0) faults.splice(index, 1)
  return fault
}
