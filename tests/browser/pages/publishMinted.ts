import { encodeFunctionData, parseAbi, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Minted } from '../../../core/receipt/testing/mintReceipt.js'
import type { Pages } from './startPages.js'

const abi = parseAbi(['function publish(address wallet, bytes32 txHash, string ipfsCid)'])

/** Puts a receipt and its collateral on the gateway, and its event on the chain by a signed transaction. */
export async function publishMinted(pages: Pages, { evidence, receipt }: Minted, cid = evidence.cid): Promise<void> {
  pages.blocks.set(evidence.cid, evidence.receipt)
  pages.blocks.set(receipt.signer.collateralCid, evidence.collateral)
  await publish(pages, receipt.transaction.from, receipt.transaction.txHash, cid)
}

/** An event of the contract, from a publisher of its own. */
export async function publish({ service }: Pages, wallet: Hex, txHash: Hex, cid: string): Promise<void> {
  const publisher = privateKeyToAccount(generatePrivateKey())
  service.setBalance(publisher.address, 10n ** 18n)
  const raw = await publisher.signTransaction({
    chainId: service.chainId,
    nonce: 0,
    to: service.contractAddress,
    data: encodeFunctionData({ abi, functionName: 'publish', args: [wallet, txHash, cid] }),
    gas: 100_000n,
    maxFeePerGas: 2_000_000_000n,
    maxPriorityFeePerGas: 1n,
  })
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: [raw] })
  const response = await fetch(service.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  const { error } = (await response.json()) as { error?: { message: string } }
  if (error) throw new Error(error.message)
}
