import type { ServiceClient } from '../client/ServiceClient.js'
import { tell } from '../client/signing/tell.js'
import type { ServiceError } from '../errors/ServiceError.js'
import type { Hex, SignMessageResult, SignRequest, SignResult } from '../types.js'
import { createAccounts } from './createAccounts.js'
import { createChains, type ExtraChain } from './createChains.js'
import { messageParams, recoverPersonal, typedDataParams } from './params.js'
import { ProviderRpcError, toProviderError } from './ProviderRpcError.js'
import { refusedMethod } from './refusedMethod.js'

/** What `createEip1193Provider` takes. */
export interface Eip1193Options {
  client: ServiceClient
  /** Chains that an application may switch to, beside the client's own. */
  chains?: readonly ExtraChain[]
  /** Called after each transaction with the slug of its proof, which EIP-1193 has no field for. */
  onSent?: (result: SignResult) => void
  /** Called after each message and typed data with the slug of its proof and what opens its receipt. */
  onSigned?: (result: SignMessageResult) => void
}

/** One request of EIP-1193. */
export interface RequestArguments {
  method: string
  params?: readonly unknown[] | object
}

/** An EIP-1193 provider, as wallets put at `window.ethereum`. */
export interface Eip1193Provider {
  request(args: RequestArguments): Promise<unknown>
  on(event: string, listener: Listener): Eip1193Provider
  removeListener(event: string, listener: Listener): Eip1193Provider
  /** Forgets the account until it is asked for again, and tells listeners. The session itself ends with `client.api.logout()`. */
  disconnect(): void
}

type Call = Record<string, string | undefined>
type Listener = (...args: never[]) => void

/**
 * The wallet as an EIP-1193 provider. Reads go to the chain's RPC; transactions, messages and typed data to the enclave.
 * Nonce and fees of a request are ignored: the wallet reads its own.
 */
export function createEip1193Provider(options: Eip1193Options): Eip1193Provider {
  const { client, onSent, onSigned } = options
  const listeners = new Map<string, Set<Listener>>()
  const emit = (event: string, value: unknown) => {
    for (const listener of listeners.get(event) ?? []) tell(listener as (value: unknown) => void, value)
  }
  const chains = createChains(client, options.chains ?? [], (chainId) => emit('chainChanged', chainId))
  const accounts = createAccounts(client, emit, chains.id)

  async function send({ from, to, value, input, data = input, gas, chainId, type = '0x2' }: Call): Promise<Hex> {
    const address = await accounts.require(from)
    // A legacy transaction is sent as EIP-1559, which can do the same. Other types hold what would be lost.
    if (![0, 2].includes(Number(type))) throw new ProviderRpcError(-32602, `type ${type} is not supported`)
    chains.requireActive(chainId)
    const request = { to, value: integer(value ?? '0x0'), data: data ?? '0x', gas: gas ? integer(gas) : 'estimate' }
    const result = await chains.active().signAndSend(request as SignRequest, { address })
    tell(onSent, result)
    return result.txHash
  }

  async function personalSign(params: readonly unknown[]): Promise<Hex> {
    const { message, account } = messageParams(params)
    const address = await accounts.require(account)
    return signed(await chains.active().signMessage(message, asked(address)))
  }

  async function signTypedData(params: readonly unknown[]): Promise<Hex> {
    const { typedData, account, chainId } = typedDataParams(params)
    const address = await accounts.require(account)
    chains.requireActive(chainId)
    return signed(await chains.active().signTypedData(typedData, asked(address)))
  }

  /** The client's own `confirm`, also on another chain. */
  const asked = (address: Hex) => ({ address, ...(client.confirm && { confirm: client.confirm }) })

  function signed(result: SignMessageResult): Hex {
    tell(onSigned, result)
    return result.signature
  }

  /** EIP-2255: the one permission there is. */
  async function permissions() {
    const value = await accounts.read()
    if (value.length === 0) return []
    const caveats = [{ type: 'restrictReturnedAccounts', value }]
    return [{ parentCapability: 'eth_accounts', invoker: globalThis.location?.origin ?? '', caveats }]
  }

  function requirePermission([wanted]: readonly unknown[]): void {
    const names = Object.keys(Object(wanted))
    if (names.length > 0 && names.every((name) => name === 'eth_accounts')) return
    throw new ProviderRpcError(-32602, 'The only permission of this wallet is eth_accounts.')
  }

  const methods: Record<string, (params: readonly unknown[]) => unknown> = {
    eth_requestAccounts: accounts.request,
    eth_accounts: accounts.read,
    eth_coinbase: async () => (await accounts.read())[0] ?? null,
    eth_chainId: () => chains.id(),
    net_version: () => String(chains.active().chainId),
    eth_sendTransaction: ([call]) => send(Object(call) as Call),
    personal_sign: personalSign,
    personal_ecRecover: recoverPersonal,
    eth_signTypedData_v4: signTypedData,
    wallet_switchEthereumChain: ([chain]) => chains.switchTo(chain),
    wallet_addEthereumChain: ([chain]) => chains.switchTo(chain),
    wallet_getCapabilities: async ([account, wanted]) => {
      await accounts.require(account)
      return chains.capabilities(wanted)
    },
    wallet_getPermissions: permissions,
    wallet_requestPermissions: async (params) => {
      requirePermission(params)
      await accounts.request()
      return permissions()
    },
    wallet_revokePermissions: (params) => {
      requirePermission(params)
      return accounts.forget()
    },
  }

  async function request({ method, params = [] }: RequestArguments): Promise<unknown> {
    try {
      const own = Object.hasOwn(methods, method) ? methods[method] : undefined
      if (own) return await own(Array.isArray(params) ? params : [params])
      const refusal = refusedMethod(method)
      if (refusal) throw refusal
      return await chains.active().publicClient.request({ method, params } as never)
    } catch (error) {
      accounts.forgetAfter(error as ServiceError)
      throw toProviderError(error)
    }
  }

  const provider: Eip1193Provider = {
    request,
    on(event, listener) {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
      return provider
    },
    removeListener(event, listener) {
      listeners.get(event)?.delete(listener)
      return provider
    },
    disconnect() {
      accounts.forget()
      emit('disconnect', new ProviderRpcError(4900, 'Disconnected.'))
    },
  }
  return provider
}

function integer(value: string): bigint {
  if (/^0x[0-9a-f]+$/i.test(value)) return BigInt(value)
  throw new ProviderRpcError(-32602, `${value} is not an integer in hex.`)
}
