import { expect, test } from 'vitest'
import { blocksOf } from '../testing/mintReceipt.js'
import { createSimulatedWorld } from '../testing/simulatedWorld.js'
import { findContradictions } from './findContradictions.js'
import { createSampleWallet, eventAt, sourcesOf, valueOf } from '../gather/testing/sampleWallet.js'

const good = createSampleWallet(await createSimulatedWorld(), [0, 1, 2])
const { contract } = good.events[0]!
const walk = { contract, fromBlock: 0, toBlock: 100 }

async function findWith(...more: (typeof good.receipts)[number][]) {
  const events = [...good.events, ...more.map((one, index) => eventAt(one, 20 + index))]
  const blocks = Object.assign({ ...good.blocks }, ...more.map(blocksOf)) as typeof good.blocks
  return findContradictions(sourcesOf({ ...good, events, blocks }), walk)
}
const kindsOf = ({ contradictions }: Awaited<ReturnType<typeof findWith>>) => contradictions.map(({ kind }) => kind)

test('finds nothing among good receipts, also when one is published twice', async () => {
  const none = { searchedTo: 100, isComplete: true, contradictions: [], unread: [], more: 0 }
  expect(await findWith()).toEqual({ events: 4, ...none })
  expect(await findWith(good.receipts[1]!)).toEqual({ events: 5, ...none })
})

test('finds a sample that two receipts name', async () => {
  const reused = good.mint(3, valueOf(1))
  const { contradictions } = await findWith(reused)
  expect(contradictions).toMatchObject([
    { kind: 'sample_twice', cids: [good.receipts[1]!.evidence.cid, reused.evidence.cid] },
  ])
})

test('finds two receipts about one transaction, and two transactions with one nonce', async () => {
  expect(kindsOf(await findWith(good.mint(1, valueOf(50))))).toEqual(['two_receipts'])
  expect(kindsOf(await findWith(good.mint(1, valueOf(50), { value: '1' })))).toEqual(['nonce_twice'])
  expect(kindsOf(await findWith(good.mint(1, valueOf(50), { chainId: 11155111 })))).toEqual([])
  expect(kindsOf(await findWith(good.mint(1, valueOf(2))))).toEqual(['two_receipts', 'sample_twice'])
})

test('names receipts that it could not read, and those that are about something else', async () => {
  const cid = good.receipts[0]!.evidence.cid
  const { [cid]: _, ...blocks } = good.blocks
  const gone = await findContradictions(sourcesOf({ ...good, blocks }), walk)
  expect(gone.unread).toEqual([{ cid, why: 'no gateway has it (evidence_missing)' }])
  const events = good.events.map((event) => (event.ipfsCid === cid ? { ...event, txHash: valueOf(5) } : event))
  const wrong = await findContradictions(sourcesOf({ ...good, events }), walk)
  expect(wrong.unread).toEqual([{ cid, why: 'it is about something else than its event' }])
})

test('reports progress, stops when asked and at its limit, and says that it has not seen everything', async () => {
  const controller = new AbortController()
  const seen: number[] = []
  const { isComplete, events } = await findContradictions(sourcesOf(good), walk, {
    signal: controller.signal,
    onProgress: (report) => {
      seen.push(report.events)
      controller.abort()
    },
  })
  expect({ isComplete, events, seen: seen.slice(0, 1) }).toEqual({ isComplete: false, events: 4, seen: [4] })
  const many = Array.from({ length: 20 }, (_, index) => eventAt(good.receipts[1]!, 20 + index))
  const events20 = sourcesOf({ ...good, events: [...good.events, ...many] })
  const limited = await findContradictions(events20, walk, { mostEvents: 8 })
  expect(limited).toMatchObject({ isComplete: false, events: 8, searchedTo: null })
})
