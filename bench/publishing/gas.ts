import { createWalletClient, http, keccak256, publicActions, toHex, type Address, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { serviceAttestationsAbi } from '../../contracts/index.js'
import type { TestChain } from '../../tests/harness/index.js'

/** The most gas of the whole transaction, per receipt. */
export const gasLimits = { single: 30_000, batchOf32: 7_000 }

type GasInput = Pick<TestChain, 'rpcUrl' | 'contractAddress'> & { publisherKey: Hex }

/** Publishes one receipt and then 32 in a batch on a local chain, and reads the gas used. */
export async function measureGas({ rpcUrl, contractAddress, publisherKey }: GasInput) {
  const publisher = createWalletClient({
    account: privateKeyToAccount(publisherKey),
    chain: foundry,
    transport: http(rpcUrl),
    pollingInterval: 50,
  }).extend(publicActions)
  const call = { address: contractAddress, abi: serviceAttestationsAbi } as const
  const gasUsed = async (hash: Hex) => Number((await publisher.waitForTransactionReceipt({ hash })).gasUsed)

  const { wallet, txHash, ipfsCid } = receipt(0)
  const args = [wallet, txHash, ipfsCid] as const
  const single = await gasUsed(await publisher.writeContract({ ...call, functionName: 'publish', args }))
  const batch = Array.from({ length: 32 }, (_, index) => receipt(index + 1))
  const whole = await gasUsed(await publisher.writeContract({ ...call, functionName: 'publishBatch', args: [batch] }))
  return { single, batchOf32: Math.ceil(whole / batch.length) }
}

/** Bytes without zeros, which cost most, and a CID of the usual length (a raw block, base32). */
function receipt(index: number) {
  const txHash = keccak256(toHex(`receipt ${index}`))
  return {
    wallet: `0x${txHash.slice(2, 42)}` as Address,
    txHash,
    ipfsCid: 'bafkrei' + txHash.slice(2, 54).replaceAll('0', 'z').replaceAll('1', 'y'),
  }
}
