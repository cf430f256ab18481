import { createWalletClient, http, publicActions, type Abi, type Address, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { serviceAttestationsAbi, serviceAttestationsBytecode } from './abi/ServiceAttestations.js'
import { serviceReleasesAbi, serviceReleasesBytecode } from './abi/ServiceReleases.js'

export interface DeploymentInput {
  rpcUrl: string
  /** Pays for the deployment and holds no role afterwards, unless it is named as owner or publisher. */
  deployerKey: Hex
  owner: Address
  confirmations?: number
}

/** Deploys the contract that names receipts, and waits until it is mined. */
export async function deployServiceAttestations(input: DeploymentInput & { publishers: Address[] }) {
  const { owner, publishers } = input
  const code = {
    abi: serviceAttestationsAbi,
    bytecode: serviceAttestationsBytecode,
    args: [owner, publishers],
  } as const
  return { ...(await deployContract(input, code)), owner, publishers }
}

/** Deploys the contract that names lists of builds, and waits until it is mined. */
export async function deployServiceReleases(input: DeploymentInput) {
  const { owner } = input
  const code = { abi: serviceReleasesAbi, bytecode: serviceReleasesBytecode, args: [owner] } as const
  return { ...(await deployContract(input, code)), owner }
}

async function deployContract(input: DeploymentInput, code: { abi: Abi; bytecode: Hex; args: readonly unknown[] }) {
  const { rpcUrl, deployerKey, confirmations = 1 } = input
  const account = privateKeyToAccount(deployerKey)
  const client = createWalletClient({ account, transport: http(rpcUrl), pollingInterval: 200 }).extend(publicActions)
  // `chain: null` takes the chain behind the RPC, whichever it is.
  const transactionHash = await client.deployContract({ ...code, chain: null })
  const receipt = await client.waitForTransactionReceipt({ hash: transactionHash, confirmations, timeout: 600_000 })
  if (receipt.status !== 'success' || !receipt.contractAddress) {
    throw new Error(`The deployment ${transactionHash} was mined but reverted.`)
  }
  return {
    chainId: await client.getChainId(),
    address: receipt.contractAddress,
    transactionHash,
    blockNumber: Number(receipt.blockNumber),
  }
}
