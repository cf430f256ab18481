import { createPublicClient, encodeFunctionData, http, type Hex } from 'viem'
import { birthHash, subjectOf, type AnyReceipt } from '@perigee/core/receipt'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { serviceAttestationsAbi, serviceReleasesAbi } from '../../../contracts/index.js'
import { blocksOf, type Minted } from '../../../core/receipt/testing/mintReceipt.js'
import { announcementOf, listFile, simulatedList } from '../../../core/receipt/testing/simulatedReleases.js'
import type { Pages } from './startPages.js'

/**
 * Puts a receipt and what belongs to it on the gateway, and its event and its birth's on the chain by signed transactions.
 * All minted receipts are of one key: a birth that is on the gateway has its event, and `birth: false` leaves another out.
 */
export async function publishMinted(
  pages: Pages,
  minted: Pick<Minted, 'evidence'> & { receipt: AnyReceipt },
  { birth = true } = {},
): Promise<void> {
  const { cid, birth: born } = minted.evidence
  const { wallet, txHash } = subjectOf(minted.receipt)
  if (birth && !pages.blocks.has(born.cid)) await publish(pages, wallet, birthHash(wallet), born.cid)
  for (const [name, bytes] of Object.entries(blocksOf(minted))) pages.blocks.set(name, bytes)
  await publish(pages, wallet, txHash, cid)
}

/** Announces the list of builds that minted receipts come from. */
export async function announceList(pages: Pages, contract: Hex): Promise<void> {
  const announcement = announcementOf(listFile(simulatedList()), 1, 0)
  if (announcement.kind !== 'announced') throw new Error('not an announcement')
  const args = [1n, announcement.sha256, announcement.cid] as const
  await send(pages, contract, encodeFunctionData({ abi: serviceReleasesAbi, functionName: 'announce', args }))
}

/** An event of the contract, from a publisher of its own. */
export async function publish(pages: Pages, wallet: Hex, txHash: Hex, cid: string): Promise<void> {
  const args = [wallet, txHash, cid] as const
  const data = encodeFunctionData({ abi: serviceAttestationsAbi, functionName: 'publish', args })
  await send(pages, pages.service.contractAddress, data)
}

async function send({ service }: Pages, to: Hex, data: Hex): Promise<void> {
  const sender = privateKeyToAccount(generatePrivateKey())
  service.setBalance(sender.address, 10n ** 18n)
  const raw = await sender.signTransaction({
    chainId: service.chainId,
    nonce: 0,
    to,
    data,
    gas: 100_000n,
    maxFeePerGas: 2_000_000_000n,
    maxPriorityFeePerGas: 1n,
  })
  const chain = createPublicClient({ transport: http(service.rpcUrl, { retryCount: 0 }) })
  await chain.sendRawTransaction({ serializedTransaction: raw })
}
