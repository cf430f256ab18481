import { parseEther } from 'viem'
import { ServiceClient } from '../client/ServiceClient.js'
import type { ServiceClientConfig, WalletInfo } from '../types.js'
import type { InMemoryService } from './startInMemoryService.js'

/** A client of the in-memory service with somebody signed in, as a script would be: with Cookie and Origin headers. */
export function testClient(
  service: InMemoryService,
  email: string | null = 'ada@example.test',
  extra: Partial<ServiceClientConfig> = {},
): ServiceClient {
  const cookie = email === null ? '' : service.signIn(email)
  return new ServiceClient({
    apiBaseUrl: service.url,
    chainId: service.chainId,
    rpcUrl: service.rpcUrl,
    fetch: (input, init) => fetch(input, { ...init, headers: { ...init?.headers, cookie, origin: service.origin } }),
    ...extra,
  })
}

/** The same with a wallet that holds ten ether. */
export async function fundedClient(
  service: InMemoryService,
  extra: Partial<ServiceClientConfig> = {},
): Promise<{ client: ServiceClient; wallet: WalletInfo }> {
  const client = testClient(service, 'ada@example.test', extra)
  const wallet = await client.api.provisionWallet()
  service.setBalance(wallet.address, parseEther('10'))
  return { client, wallet }
}
