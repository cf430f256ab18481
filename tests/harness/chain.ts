import { createWalletClient, http, publicActions, type Address, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { chainDefaults, type ChainConfig } from '../../clients/chain/ChainConfig.js'
import { deployServiceAttestations, deployServiceReleases, serviceAttestationsAbi } from '../../contracts/index.js'
import { fund as fundAt } from '../../dev/stack/fund.js'
import { components } from './components.js'

export interface TestChain {
  rpcUrl: string
  contractAddress: Address
  releasesAddress: Address
  /** Owns both contracts. */
  contractOwnerKey: Hex
}

/** Gives an account ether, on the chain that the tests share unless told otherwise. */
export function fund(address: Address, ether = '100', rpcUrl = components().rpcUrl): Promise<void> {
  return fundAt(address, ether, rpcUrl)
}

/** Deploys the contracts with an owner of their own. */
export async function deployForTests(rpcUrl: string): Promise<TestChain> {
  const contractOwnerKey = generatePrivateKey()
  const owner = privateKeyToAccount(contractOwnerKey).address
  await fund(owner, '1000', rpcUrl)
  const input = { rpcUrl, deployerKey: contractOwnerKey, owner }
  const { address: contractAddress } = await deployServiceAttestations({ ...input, publishers: [] })
  const { address: releasesAddress } = await deployServiceReleases(input)
  return { rpcUrl, contractAddress, releasesAddress, contractOwnerKey }
}

/** A publisher for one test alone: a funded key that the contract accepts. */
export async function freshPublisher(chain: TestChain = components()): Promise<Hex> {
  const key = generatePrivateKey()
  const publisher = privateKeyToAccount(key).address
  await fund(publisher, '100', chain.rpcUrl)
  await letPublish(chain, publisher, true)
  return key
}

/** The owner of the contract gives somebody the right to publish, or takes it away. */
export async function letPublish(chain: Omit<TestChain, 'releasesAddress'>, publisher: Address, allowed: boolean) {
  const account = privateKeyToAccount(chain.contractOwnerKey)
  const owner = createWalletClient({ account, chain: foundry, transport: http(chain.rpcUrl) }).extend(publicActions)
  const call = { address: chain.contractAddress, abi: serviceAttestationsAbi, args: [publisher] } as const
  const functionName = allowed ? 'addPublisher' : 'removePublisher'
  // Test files run side by side with one owner key: on a nonce that another took, try again.
  for (let attempt = 1; ; attempt++) {
    try {
      const hash = await owner.writeContract({ ...call, functionName })
      return void (await owner.waitForTransactionReceipt({ hash, pollingInterval: 50 }))
    } catch (error) {
      if (attempt === 10) throw error
    }
  }
}

/** A worker's settings for this chain, without waiting for confirmations and with quick polls. */
export function chainConfigOf(chain: TestChain, publisherKey: Hex, changes: Partial<ChainConfig> = {}): ChainConfig {
  return {
    ...chainDefaults,
    chainId: foundry.id,
    rpcUrls: [chain.rpcUrl],
    contract: chain.contractAddress.toLowerCase() as Hex,
    contractBlock: 0,
    publisherKeys: [publisherKey],
    confirmations: 1,
    pollMs: 25,
    ...changes,
  }
}
