import { createTestClient, http, parseEther, type Address } from 'viem'
import { foundry } from 'viem/chains'

/** Gives an account ether, as only a local chain can. */
export async function fund(address: Address, ether: string, rpcUrl: string): Promise<void> {
  const chain = createTestClient({ mode: 'anvil', chain: foundry, transport: http(rpcUrl) })
  await chain.setBalance({ address, value: parseEther(ether) })
}
