import { createWalletClient, http, publicActions, type Address, type Hex } from 'viem'
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

/** Deploys the contract on the chain behind the RPC URL, and waits until the deployment is mined. */
export async function deployServiceAttestations(input: DeploymentInput) {
  const { rpcUrl, deployerKey, owner, publishers, confirmations = 1 } = input
  const account = privateKeyToAccount(deployerKey)
  const client = createWalletClient({ account, transport: http(rpcUrl), pollingInterval: 200 }).extend(publicActions)
  const transactionHash = await client.deployContract({
    chain: null, // any: the RPC says which
    abi: serviceAttestationsAbi,
    bytecode: serviceAttestationsBytecode,
    args: [owner, publishers],
  })
  const receipt = await client.waitForTransactionReceipt({ hash: transactionHash, confirmations, timeout: 600_000 })
  if (receipt.status !== 'success' || !receipt.contractAddress) {
    throw new Error(`The deployment ${transactionHash} was mined but reverted.`)
  }
  return {
    chainId: await client.getChainId(),
    address: receipt.contractAddress,
    transactionHash,
    blockNumber: Number(receipt.blockNumber),
    owner,
    publishers,
  }
}
