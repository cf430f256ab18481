import {
  createTestClient,
  getContractAddress,
  http,
  isAddressEqual,
  parseEther,
  publicActions,
  type Address,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { deployServiceAttestations, deployServiceReleases } from '../../../../contracts/index.js'
import type { Secrets } from '../../settings/secrets.js'

const enough = parseEther('1000')

/** Where the contracts of the local chain are: the first that their owner deploys, so the addresses are known beforehand. */
export function localContractAddresses({ contractOwnerKey }: Secrets) {
  const from = privateKeyToAccount(contractOwnerKey).address
  return {
    contractAddress: getContractAddress({ from, nonce: 0n }),
    releasesAddress: getContractAddress({ from, nonce: 1n }),
  }
}

/** Deploys the contracts unless the chain has them, and makes sure that owner and publisher can pay. Safe to repeat. */
export async function keepLocalContracts(rpcUrl: string, secrets: Secrets): Promise<void> {
  const chain = createTestClient({ mode: 'anvil', chain: foundry, transport: http(rpcUrl) }).extend(publicActions)
  const owner = privateKeyToAccount(secrets.contractOwnerKey).address
  const publisher = privateKeyToAccount(secrets.publisherKey).address
  for (const address of [owner, publisher]) {
    if ((await chain.getBalance({ address })) < enough / 2n) await chain.setBalance({ address, value: enough })
  }
  const { contractAddress, releasesAddress } = localContractAddresses(secrets)
  const input = { rpcUrl, deployerKey: secrets.contractOwnerKey, owner }
  const keep = async (address: Address, deploy: () => Promise<{ address: Address }>) => {
    if (await chain.getCode({ address })) return
    const deployed = await deploy()
    if (isAddressEqual(deployed.address, address)) return
    throw new Error('The local chain lost a contract but not its history. Start over with: npm start -- --fresh')
  }
  await keep(contractAddress, () => deployServiceAttestations({ ...input, publishers: [publisher] }))
  await keep(releasesAddress, () => deployServiceReleases(input))
}
