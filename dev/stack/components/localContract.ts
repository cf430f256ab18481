import { createTestClient, getContractAddress, http, parseEther, publicActions, type Address } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { deployServiceAttestations } from '../../../contracts/index.js'
import type { Secrets } from '../settings/secrets.js'

const enough = parseEther('1000')

/** Where the contract of the local chain is: the first thing its owner deploys, so the address is known beforehand. */
export function localContractAddress({ contractOwnerKey }: Secrets): Address {
  return getContractAddress({ from: privateKeyToAccount(contractOwnerKey).address, nonce: 0n })
}

/** Deploys the contract unless the chain has it, and makes sure that its owner and publisher can pay. Safe to repeat. */
export async function keepLocalContract(rpcUrl: string, secrets: Secrets): Promise<void> {
  const chain = createTestClient({ mode: 'anvil', chain: foundry, transport: http(rpcUrl) }).extend(publicActions)
  const owner = privateKeyToAccount(secrets.contractOwnerKey).address
  const publisher = privateKeyToAccount(secrets.publisherKey).address
  for (const address of [owner, publisher]) {
    if ((await chain.getBalance({ address })) < enough / 2n) await chain.setBalance({ address, value: enough })
  }
  const address = localContractAddress(secrets)
  if (await chain.getCode({ address })) return
  const input = { rpcUrl, deployerKey: secrets.contractOwnerKey, owner, publishers: [publisher] }
  const deployed = await deployServiceAttestations(input)
  if (deployed.address.toLowerCase() !== address.toLowerCase()) {
    throw new Error('The local chain lost its contract but not its history. Start over with: npm start -- --fresh')
  }
}
