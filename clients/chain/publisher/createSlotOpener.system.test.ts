import type { Logger } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { createPublishingMeter } from '../../createPublishingMeter.js'
import { createChain } from '../createChain.js'
import { createPublisher } from './createPublisher.js'
import { monitorPublishers } from './monitorPublishers.js'
import { startForgingRpc } from '../../../tests/rigs/servers/startForgingRpc.js'
import { useChainRig } from '../../../tests/rigs/publishing/useChainRig.js'

/* A proof on a nonce that the chain never reaches would block its key, so no single false count may skip nonces. */

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
