import type { Logger } from 'pino'
import { createWalletClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterEach, expect, test } from 'vitest'
import type { Hex } from '@perigee/core'
import { serviceAttestationsAbi } from '../../../contracts/index.js'
import { findWaiting } from '../../../database/index.js'
import { freshPublisher } from '../../../tests/harness/index.js'
import { createPublishingMeter } from '../../createPublishingMeter.js'
import { createChain } from '../createChain.js'
import { createPublisher } from './createPublisher.js'
import { monitorPublishers } from './monitorPublishers.js'
import { RpcFault, startForgingRpc } from '../../../tests/rigs/servers/startForgingRpc.js'
import { useChainRig } from '../../../tests/rigs/publishing/useChainRig.js'

const rig = useChainRig()
const started: { close: () => Promise<void> }[] = []
afterEach(() => Promise.all(started.splice(0).map((one) => one.close())))

test('a key whose transactions an RPC reports, but the records lack, is held back with a line in the log, until the RPC reports none', async () => {
  let pending = '0x3'
  const rpc = await startForgingRpc(rig.anvil.rpcUrl, {
    eth_getTransactionCount: ([, block], truly) => (block === 'pending' ? pending : truly()),
  })
  started.push(rpc)
  const chain = createChain(rig.config({ rpcUrls: [rpc.url] }))
  const publisher = createPublisher(rig.database, chain)
  const lines: unknown[] = []
  const note = (facts: object, text: string) => lines.push({ ...facts, text })
  const log = { warn: note, info: note, debug: note } as unknown as Logger
  const meter = createPublishingMeter()
  const watch = monitorPublishers({ database: rig.database, chain, publisher, meter, log, minimumWei: 1n, everyMs: 20 })
  try {
    expect(await publisher.accountsWithRoom()).toEqual([])
    const [sender] = publisher.senders
    await expect.poll(() => lines).toMatchObject([{ sender, text: expect.stringContaining('gets no nonce') as string }])
    pending = '0x0'
    expect(await publisher.accountsWithRoom()).toMatchObject([{ sender, nonce: 0 }])
    await expect.poll(() => lines.slice(1)).toEqual([{ sender, text: 'the publishing key gets nonces again' }])
  } finally {
    await watch.stop()
  }
})

function removePublisher(publisher: Hex): Promise<Hex> {
  const { contractAddress: address, contractOwnerKey } = rig.anvil.testChain
  const account = privateKeyToAccount(contractOwnerKey)
  const owner = createWalletClient({ account, chain: foundry, transport: http(rig.anvil.rpcUrl) })
  const call = { address, abi: serviceAttestationsAbi, functionName: 'removePublisher', args: [publisher] } as const
  return rig.anvil.mined(owner.writeContract(call))
}

test('a key that the contract refuses is passed over, also while the other key is busy, and only when it refuses all does a proof fail', async () => {
  const second = await freshPublisher(rig.anvil.testChain)
  const [refused, accepted] = [rig.key, second].map((one) => privateKeyToAccount(one).address) as [Hex, Hex]
  await removePublisher(refused)
  const keys = { publisherKeys: [rig.key, second], maxInFlight: 1, maxBatch: 1 }
  await rig.publish((await rig.pinned()).slug, keys)
  await rig.anvil.client.setAutomine(false)
  const done = [rig.publish((await rig.pinned()).slug, keys)]
  await rig.offered(2)
  done.push(rig.publish((await rig.pinned()).slug, keys)) // finds only the refused key free
  const stopMining = rig.anvil.keepMining(300)
  await Promise.all(done).finally(stopMining)
  await rig.anvil.client.setAutomine(true)
  const confirmed = { sender: accepted.toLowerCase(), state: 'confirmed' }
  expect(await rig.slots()).toMatchObject([confirmed, confirmed, confirmed])
  await removePublisher(accepted)
  await expect(rig.publish((await rig.pinned()).slug, keys)).rejects.toMatchObject({ code: 'publish_reverted' })
})

test('a call that the contract refuses from every key fails at once, also while another key is busy', async () => {
  const second = await freshPublisher(rig.anvil.testChain)
  const publisher = createPublisher(rig.database, createChain(rig.config({ publisherKeys: [rig.key, second] })))
  const { slug } = await rig.pinned()
  const proofs = (await findWaiting(rig.database, slug, 1)).map((proof) => ({ ...proof, cid: '' }))
  const room = await publisher.accountsWithRoom()
  for (const some of [room, room.slice(1)]) {
    await expect(publisher.open(proofs, some, null)).rejects.toMatchObject({ code: 'publish_reverted' })
  }
})

test('a contract that has none of our functions refuses, and is not taken for an RPC that is away', async () => {
  const contract: Hex = `0x${'c0'.repeat(20)}`
  await rig.anvil.client.setCode({ address: contract, bytecode: '0x60006000fd' }) // reverts whatever is called
  const publisher = createPublisher(rig.database, createChain(rig.config({ contract })))
  const proofs = await findWaiting(rig.database, (await rig.pinned()).slug, 1)
  const opened = publisher.open(proofs, await publisher.accountsWithRoom(), null)
  await expect(opened).rejects.toMatchObject({ code: 'publish_reverted' })
})

test('at an address without a contract nobody is a publisher', async () => {
  const chain = createChain(rig.config({ contract: `0x${'c1'.repeat(20)}` }))
  expect(await chain.isPublisher(privateKeyToAccount(rig.key).address)).toBe(false)
})

test('an RPC with an internal error does not say that a key is no publisher', async () => {
  const broken = () => {
    throw new RpcFault(-32603, 'internal error')
  }
  const rpc = await startForgingRpc(rig.anvil.rpcUrl, { eth_call: broken })
  started.push(rpc)
  const asked = createChain(rig.config({ rpcUrls: [rpc.url] })).isPublisher(privateKeyToAccount(rig.key).address)
  await expect(asked).rejects.toMatchObject({ code: 'chain_unavailable' })
})

test('while the only key that may publish is full, what fills it is sent again, although nothing follows it', async () => {
  const second = await freshPublisher(rig.anvil.testChain)
  await removePublisher(privateKeyToAccount(rig.key).address)
  const keys = { publisherKeys: [rig.key, second], maxInFlight: 1, maxBatch: 1 }
  const publisher = createPublisher(rig.database, createChain(rig.config(keys)))
  await rig.anvil.client.setAutomine(false)
  const proofs = await findWaiting(rig.database, (await rig.pinned()).slug, 1)
  const slot = await publisher.open(proofs, await publisher.accountsWithRoom(), null)
  await rig.offered(1)
  for (const hash of await publisher.hashesOf(slot?.id ?? '')) await rig.anvil.client.dropTransaction({ hash })
  await rig.anvil.client.setAutomine(true)
  const { slug, txHash } = await rig.pinned()
  await rig.publish(slug, keys)
  expect(await rig.eventsOf(txHash)).toHaveLength(1)
})

/* A proof on a nonce that the chain never reaches would block its key, so no single false count may skip nonces. */

/** `lies`: how many times it says that the key has used a million nonces. */
async function startRpc(lies: number): Promise<string> {
  const rpc = await startForgingRpc(rig.anvil.rpcUrl, {
    eth_getTransactionCount: ([, block], truly) => (block === 'latest' && lies-- > 0 ? '0xf4240' : truly()),
  })
  started.push(rpc)
  return rpc.url
}

test.each([
  ['an RPC that always counts too many transactions, beside two others', [Infinity, 0, 0]],
  ['an RPC that always counts too many transactions, beside one other', [Infinity, 0]],
  ['a single RPC that counts too many transactions once', [1]],
])('%s does not make a proof skip nonces', async (_who, lies) => {
  const rpcUrls = await Promise.all(lies.map(startRpc))
  const { slug, txHash } = await rig.pinned()
  const done = rig.publish(slug, { rpcUrls })
  done.catch(() => undefined)
  await expect.poll(async () => (await rig.slots()).length).toBe(1)
  expect(await rig.slots()).toMatchObject([{ nonce: 0 }])
  await done
  expect(await rig.eventsOf(txHash)).toHaveLength(1)
})
