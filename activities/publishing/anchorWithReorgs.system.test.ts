import { createWalletClient, http, parseGwei } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { expect, test } from 'vitest'
import { auditLogAnchored } from '@perigee/core/auditLog'
import { serviceAttestationsAbi } from '../../contracts/index.js'
import { createChain } from '../../clients/chain/createChain.js'
import { createPublisher } from '../../clients/chain/publisher/createPublisher.js'
import {
  appendAuditEvent,
  findAnchor,
  keepAnchor,
  statedHead,
  type AuditLogAnchor,
  type OnchainPlace,
} from '../../database/index.js'
import { run } from '../../ops/run.js'
import { installQuietRuntime } from '../../tests/rigs/workers/quietRuntime.js'
import { useChainRig } from '../../tests/rigs/publishing/useChainRig.js'

/* A head of the audit log has one event, whatever the chain takes back: docs/publishing.md has the rule. */

installQuietRuntime()
const rig = useChainRig({ oldRights: true })
const { activities, env, eventsOf, offered, pinned, publish, slots } = rig

const dear = { maxFeePerGas: parseGwei('900'), maxPriorityFeePerGas: parseGwei('400') }
/** What the schedule `repair-proofs` does about the chain, every five minutes. */
const repair = () => env.run(activities().reopenReorged, { seconds: 3600 })

/** A new head that is kept for its anchor, as `pinAuditHead` leaves it. */
async function newHead(): Promise<number> {
  await appendAuditEvent(rig.database, { at: new Date(), kind: 'sign_in', subject: null, facts: {} })
  return (await keepAnchor(rig.database, await statedHead(rig.database))).sequence
}
const anchor = (sequence: number): Promise<OnchainPlace> => env.run(activities().publishAuditHead, { sequence })
const placeOf = async (sequence: number) => (await findAnchor(rig.database, sequence))?.onchainBlockHash ?? null

/** Events of this test's log: other tests use the same contract. */
async function anchorEvents(sequence: number): Promise<string[]> {
  const hash = (await findAnchor(rig.database, sequence))?.hash
  const logs = await rig.anvil.client.getLogs({ event: auditLogAnchored, fromBlock: 0n })
  return logs.filter(({ args }) => args.head === hash).map(({ blockHash }) => blockHash)
}

async function verify(): Promise<string> {
  const lines: string[] = []
  const console = { print: (line: string) => lines.push(line), complain: (line: string) => lines.push(line) }
  const variables = {
    DATABASE_URL: (rig.database.options as { url: string }).url,
    CHAIN_ID: String(foundry.id),
    CHAIN_RPC_URLS: rig.anvil.rpcUrl,
    CONTRACT_ADDRESS: rig.anvil.testChain.contractAddress,
    CONTRACT_BLOCK: String(startBlock),
  }
  await run(['audit-log', 'verify'], variables, console)
  return lines.join('\n')
}
/** Earlier blocks hold anchors of other tests' logs. */
let startBlock = 0n
const fromHere = async () => {
  startBlock = (await rig.anvil.client.getBlockNumber()) + 1n
  await rig.anvil.client.mine({ blocks: 1 })
}

test('an anchor whose block a reorg took is on the chain again, once, and verify says what is true meanwhile', async () => {
  await fromHere()
  const sequence = await newHead()
  expect(await verify()).toContain('0 of 0 anchors agree; 1 events follow')
  await anchor(sequence)
  expect(await verify()).toContain('1 of 1 anchors agree; 0 events follow')
  await rig.anvil.client.setAutomine(false)
  await rig.anvil.reorg(1)
  expect(await anchorEvents(sequence)).toEqual([])
  expect(await verify()).toContain(`the anchor of event ${sequence} is recorded, and not on the chain: a reorg took it`)

  await repair()
  expect(await placeOf(sequence)).toBeNull()
  expect(await verify()).toMatch(/0 of 0 anchors agree.*\nthe anchor of event 1 is on its way to the chain/)
  await offered(1)
  await rig.anvil.client.mine({ blocks: 1 })
  await repair()
  expect(await anchorEvents(sequence)).toEqual([await placeOf(sequence)])
  const text = await verify()
  expect(text).toContain('1 of 1 anchors agree; 0 events follow')
  expect(text).not.toContain('the anchor of')
  expect(await slots()).toMatchObject([{ nonce: 0, state: 'confirmed' }])
})

test('a proof that is published after the reorg does not take the anchor’s place', async () => {
  const sequence = await newHead()
  await anchor(sequence)
  await rig.anvil.client.setAutomine(false)
  await rig.anvil.reorg(1)
  await rig.anvil.client.setAutomine(true)
  const { slug, txHash } = await pinned()
  const stopMining = rig.anvil.keepMining(100)
  await publish(slug)
  await repair()
  await stopMining()
  expect(await eventsOf(txHash)).toHaveLength(1)
  expect(await anchorEvents(sequence)).toEqual([await placeOf(sequence)])
  expect((await slots()).map(({ nonce, state }) => [nonce, state])).toEqual([
    [0, 'confirmed'],
    [1, 'confirmed'],
  ])
})

test('an anchor that comes back by itself, from another node’s mempool, is found in its new block', async () => {
  const sequence = await newHead()
  await anchor(sequence)
  await rig.anvil.client.setAutomine(false)
  await rig.anvil.reorg(1)
  const [{ raw }] = await rig.database.query('SELECT raw FROM publisher_transactions')
  await rig.anvil.client.sendRawTransaction({ serializedTransaction: raw })
  await rig.anvil.client.mine({ blocks: 1 })
  await repair()
  expect(await anchorEvents(sequence)).toEqual([await placeOf(sequence)])
  expect(await slots()).toMatchObject([{ nonce: 0, state: 'confirmed' }])
})

test('an anchor whose run ended before it was mined gets its place from the repairs', async () => {
  const sequence = await newHead()
  const chain = createChain(rig.config())
  const publisher = createPublisher(rig.database, chain)
  const kept = (await findAnchor(rig.database, sequence)) as AuditLogAnchor
  await publisher.openAnchor(kept, await publisher.accountsWithRoom()) // and the run ends here
  await newHead() // so the next day's run is about another head
  await repair()
  expect(await anchorEvents(sequence)).toEqual([await placeOf(sequence)])
})

test('an anchor whose transaction failed keeps its nonce until that is final: after a reorg the same one is mined', async () => {
  await rig.anvil.client.setAutomine(false)
  const sequence = await newHead()
  const failed = anchor(sequence)
  failed.catch(() => undefined)
  await offered(1)
  const owner = createWalletClient({
    account: privateKeyToAccount(rig.anvil.testChain.contractOwnerKey),
    chain: foundry,
    transport: http(rig.anvil.rpcUrl),
  })
  const { address } = privateKeyToAccount(rig.key)
  const call = { address: rig.anvil.testChain.contractAddress, abi: serviceAttestationsAbi, ...dear } as const
  await owner.writeContract({ ...call, functionName: 'removePublisher', args: [address] })
  await rig.anvil.client.mine({ blocks: 1 })
  await expect(failed).rejects.toMatchObject({ code: 'publish_reverted' })

  const again = anchor(sequence)
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(await slots()).toHaveLength(1)
  await rig.anvil.reorg(1)
  const stopMining = rig.anvil.keepMining(100)
  await again.finally(stopMining)
  expect(await anchorEvents(sequence)).toHaveLength(1)
  expect(await slots()).toMatchObject([{ nonce: 0, state: 'confirmed' }])
})

test('two workers that anchor the same head use one nonce', async () => {
  const sequence = await newHead()
  const places = await Promise.all([anchor(sequence), anchor(sequence), anchor(sequence)])
  expect(new Set(places.map(({ onchainTxHash }) => onchainTxHash)).size).toBe(1)
  expect(await anchorEvents(sequence)).toHaveLength(1)
  expect(await slots()).toHaveLength(1)
})

test('a publisher without money says so, and the anchor is published once it has some', async () => {
  const sequence = await newHead()
  const { address } = privateKeyToAccount(rig.key)
  const value = await rig.anvil.client.getBalance({ address })
  await rig.anvil.client.setBalance({ address, value: 1n })
  await expect(anchor(sequence)).rejects.toMatchObject({ code: 'publisher_balance_low' })
  expect(await slots()).toEqual([])
  await rig.anvil.client.setBalance({ address, value })
  await anchor(sequence)
  expect(await anchorEvents(sequence)).toHaveLength(1)
})
