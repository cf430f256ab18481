import { MockActivityEnvironment } from '@temporalio/testing'
import { DefaultLogger, Runtime } from '@temporalio/worker'
import { createWalletClient, http, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { DataSource } from 'typeorm'
import { cidOf, fromHex } from '@perigee/core'
import { chainDefaults } from '../../clients/chain/ChainConfig.js'
import { createChain } from '../../clients/chain/createChain.js'
import { createPublisher } from '../../clients/chain/createPublisher.js'
import { createChainActivities } from '../../activities/publishing/createChainActivities.js'
import { createPinActivities } from '../../activities/publishing/createPinActivities.js'
import { createKuboNode } from '../../clients/ipfs/createKuboNode.js'
import { serviceAttestationsAbi } from '../../contracts/index.js'
import { openDatabase } from '../../database/index.js'
import { components, freshDatabase, freshPublisher, fund, type FreshDatabase } from '../../tests/harness/index.js'
import { seedProof } from '../../tests/rigs/seedProof.js'
import { startAnvil } from '../../tests/rigs/startAnvil.js'
import { run } from '../run.js'
import type { Finding } from './AuditReport.js'

Runtime.install({ logger: new DefaultLogger('ERROR') })
const activity = new MockActivityEnvironment(undefined, { logger: new DefaultLogger('ERROR') })
let anvil: Awaited<ReturnType<typeof startAnvil>>
let fresh: FreshDatabase
let database: DataSource
let env: Record<string, string>
let publisherKey: Hex
let contract: Hex
let undo: (() => Promise<unknown>)[] = []

interface Audited {
  disagreements: Finding[]
  unchecked: { what: string }[]
  checked: Record<string, number>
}

beforeAll(async () => {
  anvil = await startAnvil()
  ;[fresh, publisherKey] = await Promise.all([freshDatabase(), freshPublisher(anvil.testChain)])
  database = await openDatabase({ url: fresh.url })
  contract = anvil.testChain.contractAddress.toLowerCase() as Hex
  env = {
    ...{ DATABASE_URL: fresh.url, CHAIN_ID: '31337', CHAIN_RPC_URLS: anvil.rpcUrl, CONTRACT_ADDRESS: contract },
    ...{ IPFS_API_URLS: components().ipfsApiUrl, CHAIN_CONFIRMATIONS: '1', WALLET_RPC_URLS: '' },
  }
})
afterAll(async () => {
  await database.destroy()
  await Promise.all([fresh.drop(), anvil.close()])
})
/** What a test planted is dug out again, so that each starts from a system in which everything agrees. */
afterEach(async () => {
  for (const one of undo.reverse()) await one()
  undo = []
})

async function audit(changes: Record<string, string> = {}, ...args: string[]): Promise<{ code: number } & Audited> {
  const printed: string[] = []
  const console = { print: (line: string) => printed.push(line), complain: (line: string) => printed.push(line) }
  const code = await run(['audit', '--json', ...args], { ...env, ...changes }, console)
  return { code, ...(JSON.parse(printed.join('\n')) as Audited) }
}
const kinds = ({ disagreements }: Audited) => [...new Set(disagreements.map(({ kind }) => kind))].sort()

const rpc = (method: string, params: unknown[]) => anvil.client.request({ method, params } as never)
async function onChainThatIsTakenBack(): Promise<void> {
  const snapshot = await rpc('evm_snapshot', [])
  undo.push(() => rpc('evm_revert', [snapshot]))
}

function deps() {
  const chain = createChain({
    ...chainDefaults,
    ...{ chainId: foundry.id, rpcUrls: [anvil.rpcUrl], contract, contractBlock: 0, publisherKeys: [publisherKey] },
    ...{ confirmations: 1, pollMs: 25 },
  })
  const nodes = [createKuboNode(components().ipfsApiUrl)]
  return { database, chain, publisher: createPublisher(database, chain), nodes, required: 1 }
}

const onAnvil = { chainId: 31337, nonce: 0, gas: '60000', data: '0x' as const }

/** A proof that is complete, by the code that completes proofs. */
async function published(signed: Parameters<typeof seedProof>[2] = { transaction: onAnvil }) {
  const proof = await seedProof(database, { chainId: 31337, contract }, signed)
  const all = deps()
  await activity.run(createPinActivities(all).pinReceipt, { slug: proof.slug })
  await activity.run(createChainActivities(all).publishOnchain, { slug: proof.slug })
  const [row] = await database.query<{ cid: string; onchain_tx_hash: Hex; onchain_block_number: string }[]>(
    'SELECT * FROM publications WHERE slug = $1',
    [proof.slug],
  )
  return {
    ...proof,
    cid: row?.cid ?? '',
    onchainTxHash: row?.onchain_tx_hash,
    block: Number(row?.onchain_block_number),
  }
}

/** Changes a record, and puts it back afterwards. */
async function plant(slug: string, column: string, value: unknown): Promise<void> {
  const [row] = await database.query<Record<string, unknown>[]>(`SELECT * FROM publications WHERE slug = $1`, [slug])
  const set = (to: unknown) => database.query(`UPDATE publications SET ${column} = $2 WHERE slug = $1`, [slug, to])
  undo.push(() => set(row?.[column]))
  await set(value)
}

const asPublisher = (key: Hex) =>
  createWalletClient({ account: privateKeyToAccount(key), chain: foundry, transport: http(anvil.rpcUrl) })
const publish = (key: Hex, args: readonly [Hex, Hex, string]) =>
  anvil.mined(
    asPublisher(key).writeContract({ address: contract, abi: serviceAttestationsAbi, functionName: 'publish', args }),
  )

test('a system in which everything agrees has nothing to report, and exit code 0', async () => {
  for (let i = 0; i < 3; i++) await published()
  const result = await audit()
  expect(result).toMatchObject({ code: 0, disagreements: [], unchecked: [] })
  expect(result.checked).toMatchObject({ proofs: 3, places: 3, events: 3, publishers: 1, nonces: 3, wallets: 3 })
})

test('a wrong CID in a record is named', async () => {
  const { slug } = await published()
  await plant(slug, 'cid', cidOf(new TextEncoder().encode('something else')))
  const result = await audit()
  expect(result.code).toBe(1)
  expect(kinds(result)).toEqual(expect.arrayContaining(['wrong_cid', 'missing_pin', 'wrong_cid_in_event']))
  expect(result.disagreements.find(({ kind }) => kind === 'wrong_cid')?.subject).toBe(slug)
})

test('a receipt about another signature is named', async () => {
  const { slug } = await published()
  await plant(slug, 'receipt', '{"transaction":{}}')
  expect(kinds(await audit())).toEqual(['receipt_differs', 'wrong_cid'])
})

test('a missing pin is named with its node', async () => {
  const { slug, cid } = await published()
  const kubo = (path: string) => fetch(`${components().ipfsApiUrl}/api/v0/${path}`, { method: 'POST' })
  await (await kubo(`pin/rm?arg=${cid}`)).text()
  undo.push(async () => (await kubo(`pin/add?arg=${cid}`)).text())
  const { disagreements } = await audit()
  const node = new URL(components().ipfsApiUrl).host
  expect(disagreements).toMatchObject([
    { kind: 'missing_pin', subject: slug, facts: { cid, node } },
    { kind: 'too_few_pins', subject: slug },
  ])
})

test('a proof that is complete by a transaction that is not on the chain is named, and where its event really is', async () => {
  const { slug, onchainTxHash } = await published()
  await plant(slug, 'onchain_tx_hash', `0x${'ee'.repeat(32)}`)
  expect((await audit()).disagreements).toMatchObject([
    { kind: 'missing_event', subject: slug },
    { kind: 'event_elsewhere', subject: slug, facts: { transactionHash: onchainTxHash } },
  ])
})

test('a proof whose block has vanished is named, with the nonce that is free again, until the sweep has mended it', async () => {
  const { slug } = await published()
  await rpc('anvil_reorg', [1, []])
  expect(kinds(await audit())).toEqual(['missing_event', 'publisher_nonce_unmined'])
  const activities = createChainActivities(deps())
  expect(await activity.run(activities.findVanished, { seconds: 3600 })).toEqual([slug])
  await activity.run(activities.publishOnchain, { slug })
  expect(await audit()).toMatchObject({ code: 0, disagreements: [] })
})

test('a wrong block number is named', async () => {
  const { slug, block } = await published()
  await plant(slug, 'onchain_block_number', block + 1)
  expect((await audit()).disagreements).toMatchObject([
    { kind: 'wrong_block_number', subject: slug, facts: { recorded: block + 1, found: block } },
  ])
})

test('a failed proof whose event is on the chain is named', async () => {
  const { slug } = await published()
  await plant(slug, 'status', 'onchain_failed')
  await plant(slug, 'onchain_tx_hash', null)
  expect((await audit()).disagreements).toMatchObject([{ kind: 'failed_but_published', subject: slug }])
})

test('a second event for a proof is named, and that our key sent it without a record', async () => {
  const { slug, wallet, txHash, cid } = await published()
  await onChainThatIsTakenBack()
  const again = await publish(publisherKey, [wallet, txHash, cid])
  const { disagreements } = await audit()
  expect(disagreements).toMatchObject([
    { kind: 'unrecorded_publication', subject: again },
    { kind: 'duplicate_event', subject: slug, facts: { transactionHash: again } },
    { kind: 'publisher_nonce_unknown', facts: {} },
  ])
})

test('an event of a foreign publisher, and for a receipt that nobody knows, are named', async () => {
  const { wallet } = await published()
  await onChainThatIsTakenBack()
  const foreign = await freshPublisher(anvil.testChain)
  const unknown = `0x${'ab'.repeat(32)}` as Hex
  const hash = await publish(foreign, [wallet, unknown, 'bafkreiunknown'])
  const sender = privateKeyToAccount(foreign).address.toLowerCase()
  expect((await audit()).disagreements).toMatchObject([
    { kind: 'foreign_publisher', subject: hash, facts: { sender } },
    { kind: 'unknown_receipt', subject: unknown },
  ])
})

test('a nonce of the publishing key that Perigee never gave out is named', async () => {
  await published()
  await onChainThatIsTakenBack()
  const { address } = privateKeyToAccount(publisherKey)
  const nonce = await anvil.client.getTransactionCount({ address })
  await anvil.mined(asPublisher(publisherKey).sendTransaction({ to: address, value: 1n }))
  expect((await audit()).disagreements).toMatchObject([
    { kind: 'publisher_nonce_unknown', subject: address.toLowerCase(), facts: { nonce } },
  ])
})

test('a hole in the nonces of the publishing key is named', async () => {
  await published()
  const [last] = await database.query<{ id: string }[]>('SELECT id FROM publisher_slots ORDER BY nonce DESC LIMIT 1')
  const move = (by: number) =>
    database.query('UPDATE publisher_slots SET nonce = nonce + $2 WHERE id = $1', [last?.id, by])
  await move(2)
  undo.push(() => move(-2))
  expect(kinds(await audit())).toEqual(['publisher_nonce_gap', 'publisher_nonce_unknown', 'publisher_nonce_unmined'])
})

test('a wallet’s transaction that Perigee never signed is named, and one that it signed is not', async () => {
  const key = generatePrivateKey()
  const account = privateKeyToAccount(key)
  await fund(account.address, '10', anvil.rpcUrl)
  const { txHash } = await published({ privateKey: fromHex(key), transaction: onAnvil })
  await onChainThatIsTakenBack()
  const { to, value, maxFeePerGas, maxPriorityFeePerGas } = (await recordOf(txHash)).metadata
  const fees = { maxFeePerGas: BigInt(maxFeePerGas), maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas) }
  const serializedTransaction = await account.signTransaction({
    ...{ type: 'eip1559', chainId: 31337, nonce: 0, gas: 60_000n, to: to.toLowerCase() as Hex, value: BigInt(value) },
    ...fees,
  })
  expect(await anvil.mined(anvil.client.sendRawTransaction({ serializedTransaction }))).toBe(txHash)
  expect(await audit()).toMatchObject({ code: 0, disagreements: [], checked: { walletNonces: 1 } })

  const stolen = await anvil.mined(asPublisher(key).sendTransaction({ to: account.address, value: 1n }))
  expect((await audit()).disagreements).toMatchObject([
    {
      kind: 'transaction_without_receipt',
      subject: account.address.toLowerCase(),
      facts: { chainId: 31337, nonce: 1, txHash: stolen },
    },
  ])
})

test('a nonce that a wallet used for another transaction than the one signed is named', async () => {
  const key = generatePrivateKey()
  const { address } = privateKeyToAccount(key)
  await fund(address, '10', anvil.rpcUrl)
  await published({ privateKey: fromHex(key), transaction: onAnvil })
  await onChainThatIsTakenBack()
  const txHash = await anvil.mined(asPublisher(key).sendTransaction({ to: address, value: 2n }))
  expect((await audit()).disagreements).toMatchObject([
    { kind: 'transaction_without_receipt', facts: { nonce: 0, txHash } },
  ])
})

test('a signature without a publication is named', async () => {
  const { slug } = await seedProof(database, { chainId: 31337, contract }, { transaction: onAnvil })
  await database.query('DELETE FROM publications WHERE slug = $1', [slug])
  await database.query(`UPDATE transactions SET created_at = now() - interval '1 day' WHERE slug = $1`, [slug])
  undo.push(() => database.query(`INSERT INTO publications (slug, status) VALUES ($1, 'pending_pin')`, [slug]))
  expect((await audit()).disagreements).toMatchObject([{ kind: 'signature_without_receipt', subject: slug }])
})

test('what cannot be looked at is neither well nor wrong: exit code 3', async () => {
  const away = await audit({ IPFS_API_URLS: 'http://127.0.0.1:9' })
  expect(away).toMatchObject({ code: 3, disagreements: [], unchecked: [{ what: 'IPFS node 127.0.0.1:9' }] })
  const noChain = await audit({ CHAIN_RPC_URLS: 'http://127.0.0.1:9' }, '--only', 'events')
  expect(noChain).toMatchObject({ code: 3, unchecked: [{ what: 'events' }] })
  const { slug } = await seedProof(database, { chainId: 31337, contract }) // it signs for another chain
  expect(await audit({}, '--only', 'wallets')).toMatchObject({
    code: 3,
    unchecked: [{ what: 'wallets on chain 11155111' }],
  })
  await database.query('UPDATE transactions SET chain_id = 31337 WHERE slug = $1', [slug])
})

async function recordOf(
  txHash: Hex,
): Promise<{ metadata: Record<'to' | 'value' | 'maxFeePerGas' | 'maxPriorityFeePerGas', string> }> {
  // prettier-ignore
  const [row] = await database.query('SELECT metadata FROM transactions WHERE tx_hash = $1', [txHash])
  return row
}
