import type { ServiceClient } from '../client/ServiceClient.js'
import type { ServiceError } from '../errors/ServiceError.js'
import type { Hex, SignRequest, SignResult } from '../types.js'

/** What `createEip1193Provider` takes. */
export interface Eip1193Options {
  client: ServiceClient
  /** Called after each transaction with the slug of its proof, which EIP-1193 has no field for. */
  onSent?: (result: SignResult) => void
}

/** One request of EIP-1193. */
export interface RequestArguments {
  method: string
  params?: readonly unknown[] | object
}

/** An EIP-1193 provider, as wallets put at `window.ethereum`. */
export interface Eip1193Provider {
  request(args: RequestArguments): Promise<unknown>
  on(event: string, listener: (...args: never[]) => void): Eip1193Provider
  removeListener(event: string, listener: (...args: never[]) => void): Eip1193Provider
  /** Forgets the accounts and tells listeners. The session itself ends with `client.api.logout()`. */
  disconnect(): void
}

/** The error of EIP-1193: numeric codes that wallets and applications agree on. `cause` is the ServiceError, if any. */
export class ProviderRpcError extends Error {
  override readonly name = 'ProviderRpcError'
  constructor(
    readonly code: number,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause })
  }
}

const signing =
  /^(?:eth_sign|personal_sign|eth_signTransaction|eth_signTypedData|wallet_sendCalls|eth_sendRawTransaction$)/

/**
 * The wallet as an EIP-1193 provider. Reads go to the chain's RPC, `eth_sendTransaction` to the enclave. Nonce and fees
 * of a request are ignored: the wallet reads its own.
 */
export function createEip1193Provider({ client, onSent }: Eip1193Options): Eip1193Provider {
  const listeners = new Map<string, Set<(...args: never[]) => void>>()
  let accounts: readonly Hex[] = []
  const chainId: Hex = `0x${client.chainId.toString(16)}`

  function emit(event: string, value: unknown): void {
    for (const listener of listeners.get(event) ?? []) (listener as (value: unknown) => void)(value)
  }

  async function connect(): Promise<readonly Hex[]> {
    try {
      const { getWallet, provisionWallet } = client.api
      // Where a passkey is required, a wallet is made by `enrol`, which shows the recovery code.
      const { address } = await (client.authorisation === 'required' ? getWallet() : provisionWallet())
      if (accounts.length === 0) emit('connect', { chainId })
      if (accounts[0] !== address) emit('accountsChanged', (accounts = [address]))
      return accounts
    } catch (error) {
      const { status, message } = error as ServiceError
      if (status === 401) throw new ProviderRpcError(4100, 'Nobody is signed in.', error)
      if (status === 404) throw new ProviderRpcError(-32002, 'There is no wallet yet: enrol a passkey first.', error)
      throw new ProviderRpcError(status === null ? 4900 : -32603, message, error)
    }
  }

  async function send(call: Record<string, string | undefined>): Promise<Hex> {
    const [address] = accounts.length ? accounts : await connect()
    const { from = address, to, value, data = call.input, gas } = call
    if (from?.toLowerCase() !== address?.toLowerCase()) throw new ProviderRpcError(4100, 'from is another account.')
    const request = {
      to,
      value: BigInt(value ?? 0),
      data: data ?? '0x',
      gas: gas === undefined ? 'estimate' : BigInt(gas),
    } as SignRequest
    try {
      const result = await client.signAndSend(request, { address: address as Hex })
      onSent?.(result)
      return result.txHash
    } catch (error) {
      const { code, status, message } = error as ServiceError
      const numbers: Record<string, number> = { transaction_invalid: -32602, authorisation_declined: 4001 }
      throw new ProviderRpcError(status === 401 ? 4100 : (numbers[code] ?? -32603), message, error)
    }
  }

  async function request({ method, params = [] }: RequestArguments): Promise<unknown> {
    const [first] = params as readonly Record<string, string>[]
    if (method === 'eth_requestAccounts') return connect()
    if (method === 'eth_accounts') return accounts
    if (method === 'eth_chainId') return chainId
    if (method === 'eth_sendTransaction') return send(first ?? {})
    if (method === 'wallet_switchEthereumChain') {
      if (Number(first?.chainId) === client.chainId) return null
      throw new ProviderRpcError(4902, `This wallet is on chain ${client.chainId} only.`)
    }
    if (signing.test(method) || method.startsWith('wallet_')) {
      throw new ProviderRpcError(4200, `${method} is not supported: this wallet signs EIP-1559 transactions only.`)
    }
    return client.publicClient.request({ method, params } as never)
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
      accounts = []
      emit('accountsChanged', accounts)
      emit('disconnect', new ProviderRpcError(4900, 'Disconnected.'))
    },
  }
  return provider
}
