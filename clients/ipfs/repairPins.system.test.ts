import type { DataSource } from 'typeorm'
import { beforeEach, expect, test } from 'vitest'
import { cidOf, ServiceError } from '@perigee/core'
import { forgetPins, pinnedNodes, recordPins, stalePins, storeBundlesOnce } from '../../database/index.js'
import { useDatabase } from '../../tests/harness/index.js'
import { seedProof } from '../../tests/rigs/publishing/seedProof.js'
import { createPublishingMeter } from '../createPublishingMeter.js'
import { createBlockPinner } from './createBlockPinner.js'
import type { PinningNode } from './PinningNode.js'
import { repairPins } from './repairPins.js'

let database: DataSource
useDatabase((opened) => (database = opened))
beforeEach(() => database.query('DELETE FROM pins'))

/** Keeps blocks in memory, and compares them with their CIDs. */
function createMemoryNode(name: string) {
  const blocks = new Map<string, Uint8Array>()
  const node: PinningNode = {
    name,
    pin(cid, bytes) {
      if (cidOf(bytes) !== cid) return Promise.reject(new ServiceError('cid_mismatch', 'these bytes have another CID'))
      blocks.set(cid, bytes)
      return Promise.resolve()
    },
    look: (cid) => Promise.resolve(blocks.has(cid) ? 'held' : 'missing'),
  }
  return Object.assign(node, { blocks })
}

const depsFor = (...nodes: PinningNode[]) => ({ database, nodes, required: 1, meter: createPublishingMeter() })
const repair = (node: PinningNode, limit: number) =>
  repairPins(depsFor(node), { olderThanSeconds: 3600, limit }, new AbortController().signal)
const seed = () => seedProof(database, { chainId: 31337, contract: `0x${'11'.repeat(20)}` })
const bundles = async (): Promise<string[]> =>
  (await database.query<{ cid: string }[]>('SELECT cid FROM bundles')).map(({ cid }) => cid)

test('pins of receipts that were replaced do not hide other blocks, however many there are', async () => {
  const { birthSlug } = await seed()
  const [birth] = await database.query<{ cid: string }[]>('SELECT cid FROM publications WHERE slug = $1', [birthSlug])
  const kept = [birth?.cid ?? '', ...(await bundles())]
  const replaced = Array.from({ length: 20 }, (_, n) => cidOf(new TextEncoder().encode(`replaced ${n}`)))
  const node = createMemoryNode('one')
  for (const cid of [...kept, ...replaced]) await recordPins(database, cid, [node.name])
  await database.query(`UPDATE pins SET verified_at = now() - interval '2 hours'`)
  await database.query(`UPDATE pins SET verified_at = now() - interval '9 days' WHERE cid = ANY($1)`, [replaced])
  while ((await repair(node, 5)).held > 0);
  expect([...node.blocks.keys()]).toEqual(expect.arrayContaining(kept))
})

test('the only node that held a bundle gets it back after it lost everything', async () => {
  await seed()
  const node = createMemoryNode('only')
  for (const cid of await bundles()) await recordPins(database, cid, [node.name])
  await forgetPins(database, node.name)
  await repair(node, 100)
  expect([...node.blocks.keys()]).toEqual(expect.arrayContaining(await bundles()))
})

/** Bundles that any node takes, for repairs that need many blocks. */
async function seedBundles(count: number): Promise<string[]> {
  const bytes = Array.from({ length: count }, (_, n) => new TextEncoder().encode(`bundle ${n} ${Math.random()}`))
  const bundles = bytes.map((each) => ({ cid: cidOf(each), kind: 'collateral' as const, bytes: each }))
  await storeBundlesOnce(database, bundles)
  return bundles.map(({ cid }) => cid)
}

/** Rejects the pins of these blocks. */
function createPickyNode(refused: Pick<ReadonlySet<string>, 'has'>, code: 'pin_rejected' | 'pin_unavailable') {
  const memory = createMemoryNode('picky')
  const pin: PinningNode['pin'] = (cid, bytes, signal) =>
    refused.has(cid) ? Promise.reject(new ServiceError(code, 'not this one')) : memory.pin(cid, bytes, signal)
  return { ...memory, pin }
}

test('blocks that a node refuses are named, and the others are put on it in the same run', async () => {
  const [refused, taken] = [new Set(await seedBundles(10)), await seedBundles(10)]
  const { blocks, ...node } = createPickyNode(refused, 'pin_rejected')
  const { short } = await repair(node, 100)
  expect([...blocks.keys()]).toEqual(expect.arrayContaining(taken))
  expect(short).toEqual(expect.arrayContaining([...refused]))
  expect(short).toHaveLength(refused.size)
})

test.each(['pin_rejected', 'pin_unavailable'] as const)(
  'more blocks than a run takes that always end with %s do not keep the others from the node',
  async (code) => {
    const [refused, lost, stale] = [new Set(await seedBundles(30)), await seedBundles(5), await seedBundles(5)]
    const { blocks, ...node } = createPickyNode(refused, code)
    for (const cid of stale) await recordPins(database, cid, [node.name])
    await database.query(`UPDATE pins SET verified_at = now() - interval '2 hours'`)
    const isDone = () => [...lost, ...stale].every((cid) => blocks.has(cid))
    for (let run = 0; run < 500 && !isDone(); run++) await repair(node, 10)
    expect(isDone()).toBe(true)
  },
)

test('each lot begins with another block, so that a run which ends early serves others the next time', async () => {
  await seedBundles(20)
  const firsts = new Set<string>()
  for (let lot = 0; lot < 20; lot++) {
    const [first] = await stalePins(database, 'one', 3600, 1000, String(lot))
    firsts.add(first?.cid ?? '')
  }
  expect(firsts.size).toBeGreaterThan(5)
})

test('blocks that no node takes are named, also when there are more of them than a run takes', async () => {
  const everything = { has: () => true }
  await seedBundles(30)
  const nodes = ['a', 'b'].map((name) => ({ ...createPickyNode(everything, 'pin_rejected'), name }))
  const input = { olderThanSeconds: 3600, limit: 10 }
  const { short } = await repairPins(depsFor(...nodes), input, new AbortController().signal)
  expect(short).toHaveLength(input.limit)
})

test('a node that is down is skipped and named, and the others are served', async () => {
  await seedBundles(20)
  let asked = 0
  const down: PinningNode = {
    ...createMemoryNode('down'),
    pin: () => Promise.reject(new ServiceError('pin_unavailable', `no answer to request ${++asked}`)),
  }
  const run = (...nodes: PinningNode[]) =>
    repairPins(depsFor(...nodes), { olderThanSeconds: 3600, limit: 100 }, new AbortController().signal)
  const up = createMemoryNode('up')
  expect(await run(up, down)).toMatchObject({ short: [], failing: ['down'] })
  expect(asked).toBeLessThan(20)
  expect(await run(up)).toMatchObject({ short: [], failing: [] })
})

test('a node that refuses a block is not failing while enough others hold it, and the block is short otherwise', async () => {
  const refused = new Set([...(await seedBundles(1)), ...(await bundles())])
  const picky = createPickyNode(refused, 'pin_rejected')
  const run = (...nodes: PinningNode[]) =>
    repairPins(depsFor(...nodes), { olderThanSeconds: 3600, limit: 1000 }, new AbortController().signal)
  expect(await run(createMemoryNode('up'), picky)).toMatchObject({ short: [], failing: [] })
  const alone = await run(picky)
  expect(alone.failing).toEqual([])
  expect(alone.short).toEqual(expect.arrayContaining([...refused]))
})

test('a bundle that only nodes of an earlier configuration hold is pinned on today’s', async () => {
  await seed()
  const [cid = ''] = await bundles()
  await recordPins(database, cid, ['gone-1', 'gone-2'])
  const node = createMemoryNode('new')
  const { pinBundle } = createBlockPinner(depsFor(node), { warn: () => undefined })
  await pinBundle(cid, new AbortController().signal)
  expect(await node.look(cid)).toBe('held')
  expect(await pinnedNodes(database, cid)).toContain('new')
})
