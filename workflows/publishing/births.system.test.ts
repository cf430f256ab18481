import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cidOf, fromHex, transactionDigest, type Hex } from '@perigee/core'
import { entropyWitnessHash } from '@perigee/core/entropy'
import { releaseFile, signRelease } from '@perigee/core/measurements'
import { birthHash, parseBirth, parseTrustAnchors, type BirthReceiptV1 } from '@perigee/core/receipt'
import { createKuboNode } from '../../clients/ipfs/createKuboNode.js'
import { createSoftPasskey } from '../../core/authorisation/testing/createSoftPasskey.js'
import { approveOwners, ownersOf } from '../../core/authorisation/testing/softOwners.js'
import { findBirth, findWalletByUser, getProof, toWalletInfo } from '../../database/index.js'
import { simulatedRelease } from '../../core/simulation/testing/createSimulatedRelease.js'
import { keepHistory } from '../../temporal/testing/keepHistory.js'
import { components } from '../../tests/harness/index.js'
import { newTransaction } from '../../enclave/testing/createTestWorld.js'
import { announceList } from '../../tests/rigs/publishing/announceList.js'
import { runRepair } from '../../tests/rigs/publishing/runRepair.js'
import { startService, type TestService } from '../../tests/rigs/workers/startService.js'
import { jsonOf, runInProcess } from '../../verifier/testing/runInProcess.js'

let service: TestService
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'perigee-births-'))
  service = await startService()
  await service.startWorkers()
  const dir = (service.env as Record<string, string>)['SIMULATION_DIR'] ?? ''
  const releaseKey = fromHex((await readFile(join(dir, 'release', 'private-key'), 'utf8')).trim() as Hex)
  const release = simulatedRelease(new Date())
  const file = releaseFile(signRelease(release, releaseKey))
  await createKuboNode(components().ipfsApiUrl).pin(cidOf(file), file)
  const anchors = parseTrustAnchors(JSON.parse(new TextDecoder().decode(service.deps.trustAnchors.bytes)))
  const address = await announceList({ release, file })
  anchors.releases.contracts = [{ chainId: components().chainId, address }]
  await writeFile(join(folder, 'trust.json'), JSON.stringify(anchors))
})
afterAll(async () => {
  await service.close()
  await rm(folder, { recursive: true })
})

/** `npm run verify -- <target>`, with the reader's own node and gateway. */
async function verify(target: string) {
  const { ipfsGatewayUrl, rpcUrl } = components()
  const places = ['--gateway', ipfsGatewayUrl, '--rpc', rpcUrl, '--trust', 'trust.json', '--json']
  return jsonOf(await runInProcess([target, ...places], folder, Math.floor(Date.now() / 1000)))
}

async function bornWallet(...args: Parameters<TestService['provision']> | []) {
  const userId = args[0] ?? (await service.newUser())
  const wallet = await service.provision(userId, args[1] ?? null)
  const birth = await findBirth(service.database, wallet.walletId)
  return { userId, ...wallet, slug: birth?.slug ?? '' }
}

async function sign(walletId: string) {
  const transaction = newTransaction()
  return service.sign({ walletId, transaction, digest: transactionDigest(transaction) })
}

test('a new wallet has a birth on IPFS and on the chain, which a stranger verifies; its signatures name it', async () => {
  const { userId, walletId, address, slug } = await bornWallet()
  expect(await service.publicationOf(slug)).toBe('complete')
  const proof = await getProof(service.database, slug)
  expect(proof).toMatchObject({
    kind: 'birth',
    status: 'complete',
    walletAddress: address,
    txHash: birthHash(address),
    chainId: components().chainId,
    kmsQuoteVerified: true,
    receipt: { version: 'perigee-birth/1', simulated: true, key: { address } },
  })
  // What its owner is told about the entropy is what the receipt says.
  const { entropy } = proof?.receipt as BirthReceiptV1
  const known = await findWalletByUser(service.database, userId)
  expect(known && toWalletInfo(known).provenance).toEqual({
    entropyHash: entropyWitnessHash(entropy),
    entropySig: entropy.signature?.value,
    satelliteSource: entropy.source,
  })
  const cid = proof?.ipfsCid ?? ''
  const whole = { verified: true, kind: 'birth', failed: [], skipped: [], notes: [], cid, wallet: address }
  for (const target of [cid, birthHash(address)]) expect(await verify(target)).toMatchObject(whole)

  const signed = await sign(walletId)
  expect(await service.publicationOf(signed.slug)).toBe('complete')
  const receipt = await getProof(service.database, signed.slug)
  expect(receipt).toMatchObject({ kind: 'transaction', receipt: { signer: { birthCid: cid } } })
  expect(await verify(receipt?.ipfsCid ?? '')).toMatchObject({ verified: true, failed: [], skipped: [], notes: [] })
  await keepHistory(service.client, `wallet/${userId}`, 'provision-with-birth')
  await keepHistory(service.client, `receipt/${slug}`, 'publish-birth')
})

test('the birth is a child of the run that made the wallet, and Temporal shows what it is', async () => {
  const { userId, address, slug } = await bornWallet()
  const handle = service.client.workflow.getHandle(`receipt/${slug}`)
  expect(await handle.result()).toBe('complete')
  const { events } = await handle.fetchHistory()
  expect(events?.[0]?.workflowExecutionStartedEventAttributes?.parentWorkflowExecution?.workflowId).toBe(
    `wallet/${userId}`,
  )
  const { typedSearchAttributes } = await handle.describe()
  const attributes = Object.fromEntries(typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]))
  expect(attributes).toMatchObject({ ProofKind: 'birth', Wallet: address, TxHash: birthHash(address) })
})

test('the birth of a wallet with owners shows them and their approval, and nothing private', async () => {
  const passkeys = [createSoftPasskey()]
  const owners = ownersOf(passkeys)
  const credentials = passkeys.map(({ credential: { publicKey } }) => {
    return { publicKey, id: 'private-credential-id', label: 'private label', addedAt: new Date().toISOString() }
  })
  const owned = { owners, approval: approveOwners(owners, { passkeys }), credentials }
  const { slug } = await bornWallet(await service.newUser(), owned)
  expect(await service.publicationOf(slug)).toBe('complete')
  const proof = await getProof(service.database, slug)
  const birth = parseBirth(new TextEncoder().encode(await receiptText(slug)))
  expect(birth.authorisation).toMatchObject({ owners, approval: owned.approval })
  expect(await verify(proof?.ipfsCid ?? '')).toMatchObject({ verified: true, failed: [] })
  const [{ sealed_key: sealedKey }] = await service.database.query<[{ sealed_key: Hex }]>(
    `SELECT sealed_key FROM wallets w JOIN publications p ON p.wallet_id = w.id WHERE p.slug = $1`,
    [slug],
  )
  for (const secret of ['private', '@', sealedKey.slice(2)]) expect(await receiptText(slug)).not.toContain(secret)
})

async function receiptText(slug: string): Promise<string> {
  const [row] = await service.database.query<[{ receipt: string }]>(
    'SELECT receipt FROM publications WHERE slug = $1',
    [slug],
  )
  return row.receipt
}

test('signing again, and signing in again, starts no second birth', async () => {
  const { userId, walletId, slug } = await bornWallet()
  expect(await service.publicationOf(slug)).toBe('complete')
  expect(await bornWallet(userId)).toMatchObject({ walletId, slug })
  const { events } = await service.client.workflow.getHandle(`wallet/${userId}`).fetchHistory()
  expect(events?.some((event) => event.startChildWorkflowExecutionInitiatedEventAttributes)).toBe(false)
  await keepHistory(service.client, `wallet/${userId}`, 'provision-of-a-born-wallet')
})

test('a birth without a workflow is found by the repair, and receipts that name it wait for it', async () => {
  const { walletId, slug } = await bornWallet()
  expect(await service.publicationOf(slug)).toBe('complete')
  // As after a crash between the commit and the start of the child, long ago: the record is there, and nothing runs.
  await service.database.query(
    `UPDATE publications SET status = 'pending_pin', cid = NULL, receipt = NULL, onchain_tx_hash = NULL,
            onchain_block_number = NULL, onchain_block_hash = NULL, created_at = now() - interval '2 minutes' WHERE slug = $1`,
    [slug],
  )
  const signed = await sign(walletId)
  const receipt = service.client.workflow.getHandle(`receipt/${signed.slug}`)
  await expect
    .poll(async () => JSON.stringify((await receipt.describe()).raw.pendingActivities))
    .toContain('birth_not_published')
  expect((await getProof(service.database, signed.slug))?.status).toBe('pending_pin')
  expect((await runRepair(service.client)).started).toContain(slug)
  expect(await service.publicationOf(slug)).toBe('complete')
  expect(await service.publicationOf(signed.slug)).toBe('complete')
})
