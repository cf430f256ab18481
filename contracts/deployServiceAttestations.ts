import { createPublicClient, createWalletClient, defineChain, http, type Address, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { serviceAttestationsAbi, serviceAttestationsBytecode } from './abi/ServiceAttestations.js'

export interface DeploymentInput {
  rpcUrl: string
  /** Pays for the deployment and holds no role afterwards, unless it is named as owner or publisher. */
  deployerKey: Hex
  owner: Address
  publishers: Address[]
  confirmations?: number
}

export interface Deployment {
  chainId: number
  address: Address
  transactionHash: Hex
  blockNumber: number
  owner: Address
  publishers: Address[]
}

/** Deploys the contract on the chain behind the RPC URL, and waits until the deployment is mined. */
export async function deployServiceAttestations(input: DeploymentInput): Promise<Deployment> {
  const transport = http(input.rpcUrl)
  const chainId = await createPublicClient({ transport }).getChainId()
  const chain = defineChain({
    id: chainId,
    name: `chain ${chainId}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [input.rpcUrl] } },
  })
  const wallet = createWalletClient({ account: privateKeyToAccount(input.deployerKey), chain, transport })
  const reader = createPublicClient({ chain, transport, pollingInterval: 200 })
  const transactionHash = await wallet.deployContract({
    abi: serviceAttestationsAbi,
    bytecode: serviceAttestationsBytecode,
    args: [input.owner, input.publishers],
  })
  const receipt = await reader.waitForTransactionReceipt({
    hash: transactionHash,
    confirmations: input.confirmations ?? 1,
    timeout: 600_000,
  })
  if (receipt.status !== 'success' || !receipt.contractAddress) {
    throw new Error(`The deployment ${transactionHash} was mined but reverted.`)
  }
  return {
    chainId,
    address: receipt.contractAddress,
    transactionHash,
    blockNumber: Number(receipt.blockNumber),
    owner: input.owner,
    publishers: input.publishers,
  }
}
