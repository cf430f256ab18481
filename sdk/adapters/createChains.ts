import { numberToHex } from 'viem'
import type { ServiceClient } from '../client/ServiceClient.js'
import type { Hex } from '../types.js'
import { ProviderRpcError } from './ProviderRpcError.js'

/** A chain that an application may switch to. */
export interface ExtraChain {
  chainId: number
  /** Needed for chains other than Sepolia and Base Sepolia. */
  rpcUrl?: string
}

/** The chains of one provider: one is active. RPC URLs that an application brings along are not used. */
export function createChains(client: ServiceClient, extra: readonly ExtraChain[], onChange: (chainId: Hex) => void) {
  const clients = new Map([client.chainId, ...extra.map(({ chainId }) => chainId)].map((id) => [id, client]))
  for (const { chainId, rpcUrl } of extra) {
    if (chainId !== client.chainId) clients.set(chainId, client.onChain(chainId, rpcUrl))
  }
  let active = client

  function switchTo(wanted: unknown): null {
    const { chainId } = Object(wanted) as { chainId?: unknown }
    if (typeof chainId !== 'string' || !/^0x[1-9a-f][0-9a-f]{0,12}$/i.test(chainId)) {
      throw new ProviderRpcError(-32602, 'chainId is not a number in hex with 0x.')
    }
    const next = clients.get(Number(chainId))
    if (!next) throw new ProviderRpcError(4902, `This wallet is not on chain ${Number(chainId)}.`)
    if (next === active) return null
    active = next
    onChange(numberToHex(next.chainId))
    return null
  }

  /** What names another chain is not signed, as EIP-712 asks too. */
  function requireActive(chainId: unknown): void {
    if (chainId === undefined || Number(chainId) === active.chainId) return
    throw new ProviderRpcError(4901, `Switch to chain ${String(chainId)}.`)
  }

  /** EIP-5792, per chain: calls are never bundled. */
  function capabilities(wanted: unknown): Record<Hex, object> {
    const asked = Array.isArray(wanted) ? wanted.map(Number) : [...clients.keys()]
    const ids = asked.filter((id) => clients.has(id))
    return Object.fromEntries(ids.map((id) => [numberToHex(id), { atomic: { status: 'unsupported' } }]))
  }

  return { active: () => active, id: () => numberToHex(active.chainId), switchTo, requireActive, capabilities }
}
