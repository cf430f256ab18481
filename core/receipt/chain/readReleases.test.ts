import { expect, test } from 'vitest'
import { cidOf } from '../../bytes/index.js'
import { ServiceError } from '../../errors/index.js'
import { announcementOf, listFile, simulatedList, withdrawalOf } from '../testing/simulatedReleases.js'
import { anchorsOf, createSimulatedWorld } from '../testing/simulatedWorld.js'
import { readReleases } from './readReleases.js'
import type { Rpc } from './readLogs.js'
import { nodeOf } from '../gather/testing/nodeOf.js'

const anchors = anchorsOf(await createSimulatedWorld())
const files = [1, 2, 3].map((version) => listFile(simulatedList(version)))
const releases = [...files.map((file, index) => announcementOf(file, index + 1, 5 + index)), withdrawalOf(2, 9)]
const blocks = new Map(files.map((file) => [cidOf(file), file]))
const fetchCid = async (cid: string) => {
  const bytes = blocks.get(cid)
  if (bytes === undefined) throw new ServiceError('evidence_missing', 'no gateway has it')
  return bytes
}
const read = (rpc: Rpc, toBlock = 20, trusted = anchors) =>
  readReleases({ rpc, fetchCid }, { anchors: trusted }, toBlock)

test('reads what was announced and withdrawn, and fetches the lists, newest first', async () => {
  expect(await read(nodeOf([], { releases }))).toEqual({ announcements: releases, lists: [...files].reverse() })
})

test('reads no further than the receipt’s block', async () => {
  const found = await read(nodeOf([], { releases }), 6)
  expect(found).toEqual({ announcements: releases.slice(0, 2), lists: [files[1], files[0]] })
  const late = { ...anchors, releases: { ...anchors.releases, contracts: [{ ...anchors.releases.contracts[0]!, fromBlock: 30 }] } }
  expect(await read(nodeOf([], { releases }), 20, late)).toEqual({ announcements: [], lists: [] })
}) // prettier-ignore

test('halves the range for a node that refuses long ones, and gives up on one that refuses all', async () => {
  const found = await read(nodeOf([], { releases, maxRange: 99 }), 1000)
  expect(found.announcements).toEqual(releases)
  let calls = 0
  const limited = nodeOf([], { releases, maxRange: 4999 })
  const counting: Rpc = (method, params) => {
    calls += 1
    return limited(method, params)
  }
  expect((await read(counting, 3_000_000)).announcements).toEqual(releases)
  expect(calls).toBeLessThan(1100)
  calls = 0
  const node = nodeOf([], { releases })
  const broken: Rpc = async (method, params) => {
    if (method !== 'eth_getLogs') return node(method, params)
    calls += 1
    throw new ServiceError('chain_unavailable', 'no logs today')
  }
  await expect(read(broken, 1_000_000)).rejects.toMatchObject({ code: 'chain_unavailable' })
  expect(calls).toBeLessThan(20)
})

test('goes on without a list that no gateway has', async () => {
  const missing = announcementOf(listFile(simulatedList(4)), 4, 10)
  const found = await read(nodeOf([], { releases: [...releases, missing] }))
  expect(found.announcements).toHaveLength(5)
  expect(found.lists).toHaveLength(3)
})

const node = nodeOf([], { releases })
const answering = (change: (log: Record<string, unknown>) => unknown): Rpc => {
  return async (method, params) => {
    const answer = await node(method, params)
    return method === 'eth_getLogs' ? change((answer as Record<string, unknown>[])[0]!) : answer
  }
}
test.each<[string, Rpc]>([
  ['of another contract', answering((log) => [{ ...log, address: `0x${'01'.repeat(20)}` }])],
  ['taken back', answering((log) => [{ ...log, removed: true }])],
  ['of another event', answering((log) => [{ ...log, topics: [`0x${'01'.repeat(32)}`] }])],
  ['without a place in its block', answering((log) => [{ ...log, logIndex: undefined }])],
  ['more than anybody announces', answering((log) => Array.from({ length: 1001 }, () => log))],
  ['that are none', answering(() => 'no logs')],
])('refuses logs %s', async (_, rpc) => {
  await expect(read(rpc)).rejects.toMatchObject({ code: 'chain_unavailable' })
})
