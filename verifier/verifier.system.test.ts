import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWalletClient, http, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Hex } from '@perigee/core'
import { serviceAttestationsAbi } from '../contracts/index.js'
import { birthHash } from '@perigee/core/receipt'
import { blocksOf, mintReceipt, type Minted } from '../core/receipt/testing/mintReceipt.js'
import { listFile, simulatedList } from '../core/receipt/testing/simulatedReleases.js'
import { createSimulatedWorld } from '../core/receipt/testing/simulatedWorld.js'
import { components, freshPublisher } from '../tests/harness/index.js'
import { announceList } from '../tests/rigs/publishing/announceList.js'
import { jsonOf, runInProcess } from './testing/runInProcess.js'

let folder: string
let minted: Minted
const now = () => Math.floor(Date.now() / 1000)
const contract = () => components().contractAddress.toLowerCase() as Hex

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'perigee-verifier-'))
  const publication = { chainId: foundry.id, contract: contract() }
  minted = mintReceipt(await createSimulatedWorld(now()), { publication })
  const chainId = foundry.id
  const list = { release: simulatedList(), file: listFile(simulatedList()) }
  const anchors = {
    ...minted.anchors,
    contracts: [{ chainId, address: publication.contract }],
    releases: { ...minted.anchors.releases, contracts: [{ chainId, address: await announceList(list) }] },
  }
  await writeFile(join(folder, 'trust.json'), JSON.stringify(anchors))
  for (const bytes of Object.values(blocksOf(minted))) await pin(bytes)
  const { from, txHash } = minted.receipt.transaction
  await publish(from, birthHash(from), minted.evidence.birth.cid)
  await publish(from, txHash, minted.evidence.cid)
})
afterAll(() => rm(folder, { recursive: true }))

async function pin(bytes: Uint8Array): Promise<void> {
  const body = new FormData()
  body.append('data', new Blob([Uint8Array.from(bytes)]))
  await fetch(`${components().ipfsApiUrl}/api/v0/block/put?cid-codec=raw&pin=true`, { method: 'POST', body })
}

async function publish(...args: [wallet: Hex, txHash: Hex, cid: string]): Promise<void> {
  const account = privateKeyToAccount(await freshPublisher())
  const wallet = createWalletClient({ account, chain: foundry, transport: http(components().rpcUrl) }).extend(
    publicActions,
  )
  const call = { address: contract(), abi: serviceAttestationsAbi, functionName: 'publish' } as const
  await wallet.waitForTransactionReceipt({ hash: await wallet.writeContract({ ...call, args }) })
}

const verify = (target: string) => {
  const { ipfsGatewayUrl, rpcUrl } = components()
  const places = ['--gateway', ipfsGatewayUrl, '--rpc', rpcUrl, '--trust', 'trust.json', '--json']
  return runInProcess([target, ...places], folder, now())
}

test('a receipt on a real IPFS node, named by an event on a real chain, is verified by CID and by txHash', async () => {
  for (const target of [minted.evidence.cid, minted.receipt.transaction.txHash]) {
    const outcome = await verify(target)
    expect(jsonOf(outcome)).toMatchObject({ verified: true, simulated: true, failed: [], skipped: [], notes: [] })
    expect(outcome.exit).toBe(0)
  }
})

test('a second event that names another receipt for the transaction is noticed', async () => {
  const { from, txHash } = minted.receipt.transaction
  await publish(from, txHash, minted.receipt.signer.collateralCid)
  const outcome = await verify(minted.evidence.cid)
  expect(jsonOf(outcome)).toMatchObject({ verified: false, failed: ['onchain_event'] })
  expect(outcome.exit).toBe(1)
})

test('a birth on a real IPFS node, named by an event on a real chain, is verified by CID and by its hash', async () => {
  const { cid } = minted.evidence.birth
  for (const target of [cid, birthHash(minted.receipt.transaction.from)]) {
    expect(jsonOf(await verify(target))).toMatchObject({ verified: true, kind: 'birth', cid, failed: [], notes: [] })
  }
})
