import { getAddress, isAddressEqual } from 'viem'
import type { ServiceClient } from '../client/ServiceClient.js'
import type { ServiceError } from '../errors/ServiceError.js'
import type { Hex } from '../types.js'
import { isAccount } from './params.js'
import { ProviderRpcError } from './ProviderRpcError.js'

/**
 * The one account of a provider, and whether the application may use it. A session is permission enough. Once that was
 * given back, or the session has ended, only `request` brings the account back.
 */
export function createAccounts(
  client: ServiceClient,
  emit: (event: string, value: unknown) => void,
  chainId: () => Hex,
) {
  let accounts: readonly Hex[] = []
  let isForgotten = false
  let look: Promise<void> | undefined

  /** The application asks for the account. */
  function request(): Promise<readonly Hex[]> {
    isForgotten = false
    return connect()
  }

  async function connect(): Promise<readonly Hex[]> {
    const { getWallet, provisionWallet } = client.api
    // Where a passkey is required, a wallet is made by `enrol`, which shows the recovery code.
    const wallet = await (client.authorisation === 'required' ? getWallet() : provisionWallet())
    const address = getAddress(wallet.address) // sign-in messages need the spelling of EIP-55
    requirePermission() // it may have been given back meanwhile
    if (accounts.length === 0) emit('connect', { chainId: chainId() })
    if (accounts[0] !== address) emit('accountsChanged', (accounts = [address]))
    return accounts
  }

  /** The account of a session from before the page was loaded counts too. Reading it is no event. */
  async function read(): Promise<readonly Hex[]> {
    if (accounts.length === 0 && !isForgotten) await (look ??= find())
    return accounts
  }

  async function find(): Promise<void> {
    try {
      const { address } = await client.api.getWallet()
      if (!isForgotten && accounts.length === 0) accounts = [getAddress(address)] // `request` may have been faster
    } catch (error) {
      if ([401, 404].includes((error as ServiceError).status ?? 0)) return
      look = undefined
      throw error
    }
  }

  /** The account, if it is the one that the request names. */
  async function require(named: unknown): Promise<Hex> {
    requirePermission()
    const [address] = (accounts.length ? accounts : await connect()) as [Hex]
    if (named === undefined || (isAccount(named) && isAddressEqual(named, address))) return address
    throw new ProviderRpcError(4100, `${String(named)} is not the account of this wallet.`)
  }

  function requirePermission(): void {
    if (isForgotten) throw new ProviderRpcError(4100, 'Ask for the account first, with eth_requestAccounts.')
  }

  function forget(): null {
    isForgotten = true
    if (accounts.length > 0) emit('accountsChanged', (accounts = []))
    return null
  }

  /** Listeners must not go on with an account whose session is over or somebody else's. */
  function forgetAfter({ code }: ServiceError): void {
    if (accounts.length > 0 && /^(not_signed_in|account_changed)$/.test(code)) forget()
  }

  return { request, read, require, forget, forgetAfter }
}
