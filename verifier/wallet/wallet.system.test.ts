import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWalletClient, http, parseSignature, publicActions, serializeTransaction } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Hex } from '@perigee/core'
import { birthHash } from '@perigee/core/receipt'
import type { WalletVerdict } from '@perigee/core/receipt/wallet'
import { createReleases } from '../../clients/releases/createReleases.js'
import { serviceAttestationsAbi } from '../../contracts/index.js'
import { blocksOf, type Minted } from '../../core/receipt/testing/mintReceipt.js'
import { listFile, simulatedList } from '../../core/receipt/testing/simulatedReleases.js'
import { createSimulatedWorld } from '../../core/receipt/testing/simulatedWorld.js'
import { createSampleWallet, valueOf, type SampleWallet } from '../../core/receipt/gather/testing/sampleWallet.js'
import { run as runOps } from '../../ops/run.js'
import { components, freshPublisher, fund } from '../../tests/harness/index.js'
import { startAnvil } from '../../tests/rigs/servers/startAnvil.js'
import { jsonOf, runInProcess } from '../testing/runInProcess.js'

const day = 86_400
const transaction = { gas: '100000' }
const start = Math.floor(Date.now() / 1000)
let folder: string
let anvil: Awaited<ReturnType<typeof startAnvil>>
let contract: Hex
let publisherKey: Hex
let sample: SampleWallet

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'perigee-wallet-'))
  anvil = await startAnvil() // a chain of its own: the wallet's nonces start at 0, and days pass
  contract = anvil.testChain.contractAddress.toLowerCase() as Hex
  publisherKey = await freshPublisher(anvil.testChain)
  sample = createSampleWallet(await createSimulatedWorld(start), [], { chainId: foundry.id, contract })
  const first = sample.mint(0, valueOf(0), transaction)
  const releases = anvil.testChain.releasesAddress.toLowerCase() as Hex
  const place = { chainId: foundry.id, rpcUrls: [anvil.rpcUrl], contract: releases }
  const announcer = createReleases({ ...place, confirmations: 1, pollMs: 50, waitMs: 20_000 })
  const list = { release: simulatedList(), file: listFile(simulatedList()) }
  await announcer.send(announcer.announceCall(list), anvil.testChain.contractOwnerKey)
  const anchors = {
    ...first.anchors,
    contracts: [{ chainId: foundry.id, address: contract }],
    releases: { ...first.anchors.releases, contracts: [{ chainId: foundry.id, address: releases }] },
  }
  await writeFile(join(folder, 'trust.json'), JSON.stringify(anchors))
  await fund(sample.wallet, '100', anvil.rpcUrl)
  await pin(sample.birth.evidence.receipt)
  await publish(birthHash(sample.wallet), sample.birth.evidence.cid)
  await send(first)
  await publishReceipt(first)
})
afterAll(async () => {
  await anvil.close()
  await rm(folder, { recursive: true })
})

async function pin(bytes: Uint8Array): Promise<void> {
  const body = new FormData()
  body.append('data', new Blob([Uint8Array.from(bytes)]))
  await fetch(`${components().ipfsApiUrl}/api/v0/block/put?cid-codec=raw&pin=true`, { method: 'POST', body })
}

async function publish(txHash: Hex, cid: string): Promise<void> {
  const account = privateKeyToAccount(publisherKey)
  const client = createWalletClient({ account, chain: foundry, transport: http(anvil.rpcUrl) }).extend(publicActions)
  const call = { address: contract, abi: serviceAttestationsAbi, functionName: 'publish' } as const
  await anvil.mined(client.writeContract({ ...call, args: [sample.wallet, txHash, cid] }))
}

async function publishReceipt(minted: Minted): Promise<void> {
  for (const bytes of Object.values(blocksOf(minted))) await pin(bytes)
  await publish(minted.receipt.transaction.txHash, minted.evidence.cid)
}

/** Sends the signed transaction that a receipt is about. */
async function send({ receipt }: Minted): Promise<void> {
  const { transaction: t } = receipt
  const unsigned = {
    type: 'eip1559',
    chainId: t.chainId,
    nonce: t.nonce,
    to: t.to as Hex,
    data: t.data,
    value: BigInt(t.value),
    gas: BigInt(t.gas),
    maxFeePerGas: BigInt(t.maxFeePerGas),
    maxPriorityFeePerGas: BigInt(t.maxPriorityFeePerGas),
  } as const
  const serializedTransaction = serializeTransaction(unsigned, parseSignature(t.signature))
  await anvil.mined(anvil.client.sendRawTransaction({ serializedTransaction }))
}

async function verifyWallet(now: number): Promise<WalletVerdict & { exit: number }> {
  const { ipfsGatewayUrl } = components()
  const places = ['--gateway', ipfsGatewayUrl, '--rpc', anvil.rpcUrl, '--trust', 'trust.json', '--json']
  const outcome = await runInProcess(['wallet', sample.wallet, ...places], folder, now)
  return { ...(jsonOf(outcome) as unknown as WalletVerdict), exit: outcome.exit }
}

/** No DATABASE_URL: the command asks no database. */
async function contradictions(): Promise<{ exit: number; text: string }> {
  const env = {
    CHAIN_RPC_URLS: anvil.rpcUrl,
    CHAIN_ID: String(foundry.id),
    CONTRACT_ADDRESS: contract,
    IPFS_API_URLS: components().ipfsApiUrl,
  }
  const lines: string[] = []
  const console = { print: (line: string) => lines.push(line), complain: (line: string) => lines.push(line) }
  const exit = await runOps(['contradictions'], env, console, folder)
  return { exit, text: lines.join('\n') }
}

test('a stranger checks a wallet on a real chain and a real IPFS node, and finds each planted fault', async () => {
  expect(await verifyWallet(start + 600)).toMatchObject({ exit: 0, verified: true, receipts: 1, findings: [] })
  expect(await contradictions()).toEqual({ exit: 0, text: '2 events, 0 contradictions, 0 receipts not read' })

  const hidden = sample.mint(1, valueOf(1), transaction)
  const [one, other] = [valueOf(2), valueOf(12)].map((value) => sample.mint(2, value, transaction)) as [Minted, Minted]
  const reusing = sample.mint(3, valueOf(0), transaction)
  const late = sample.mint(4, valueOf(4), transaction)
  const unsent = sample.mint(5, valueOf(5), transaction)
  for (const sent of [hidden, one, reusing, late]) await send(sent)
  for (const published of [one, other, reusing, unsent]) await publishReceipt(published)
  await anvil.client.increaseTime({ seconds: 2 * day })
  await publishReceipt(late)

  const { exit, findings } = await verifyWallet(start + 2 * day + 600)
  expect(exit).toBe(1)
  const found = findings.map(({ kind, isFault, subject }) => ({ kind, isFault, subject }))
  const cidOf = ({ evidence }: Minted) => evidence.cid
  for (const planted of [
    { kind: 'nonce_without_receipt', isFault: true, subject: '1–2' }, // of two receipts for one transaction none counts
    { kind: 'receipt_without_transaction', isFault: false, subject: cidOf(unsent) },
    { kind: 'late', isFault: false, subject: cidOf(late) },
    { kind: 'sample_twice', isFault: true, subject: cidOf(reusing) },
    { kind: 'two_receipts', isFault: true, subject: cidOf(other) },
    { kind: 'receipt_invalid', isFault: true, subject: cidOf(one) }, // onchain_event
    { kind: 'receipt_invalid', isFault: true, subject: cidOf(other) },
  ]) {
    expect(found).toContainEqual(planted)
  }
  expect(found).toHaveLength(7)

  const { exit: code, text } = await contradictions()
  const first = sample.mint(0, valueOf(0), transaction)
  expect(code).toBe(1)
  expect(text).toContain(`sample_twice  ${cidOf(first)} and ${cidOf(reusing)}`)
  expect(text).toContain(`two_receipts  ${cidOf(one)} and ${cidOf(other)}`)
  expect(text).toContain('7 events, 2 contradictions, 0 receipts not read')
})
