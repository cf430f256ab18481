import { describe, expect, test } from 'vitest'
import type { TrustAnchors } from '../anchors/TrustAnchors.js'
import { blocksOf, mintReceipt } from '../testing/mintReceipt.js'
import { proofOf } from '../testing/proofOf.js'
import { createSimulatedWorld } from '../testing/simulatedWorld.js'
import { verifyReceipt } from '../verify/index.js'
import { gatherEvidence, type GatherOptions, type Sources, type Target } from './gatherEvidence.js'
import { nodeOf } from './testing/nodeOf.js'

// A node that searches at most 100 blocks at a time, on a chain of 2000. The key is born in block 400, and signs in 900.
const minted = mintReceipt(await createSimulatedWorld())
const { anchors, evidence, receipt } = minted
const blocks = blocksOf(minted)
const born = { ...evidence.birth.events[0]!, blockNumber: 400, confirmations: 1600 }
const event = { ...evidence.events[0]!, blockNumber: 900, confirmations: 1100 }
const releases = evidence.releases.announcements
const slug = 'the-slug'
const proof = { ...proofOf(minted, slug), onchainBlockNumber: event.blockNumber }

function createSources(events = [born, event], maxRange = 99) {
  const node = nodeOf(events, { maxRange, releases })
  const filters: { fromBlock: string }[] = []
  const sources: Sources = {
    fetchCid: async (cid) => blocks[cid]!,
    readProof: async () => proof,
    rpc: (method, params) => {
      if (method === 'eth_getLogs') filters.push(params[0] as { fromBlock: string })
      return node(method, params)
    },
  }
  return { sources, filters }
}

async function verdictOn(target: Target, sources: Sources, options: GatherOptions) {
  const { evidence: found, notes } = await gatherEvidence(target, sources, options)
  const verdict = await verifyReceipt(found, { anchors: options.anchors })
  const stepOf = (name: string) => verdict.steps.find(({ step }) => step === name)
  return { ...verdict, notes, event: stepOf('onchain_event'), birth: stepOf('birth') }
}
const byCid: Target = { kind: 'cid', cid: evidence.cid }
const madeIn = (fromBlock: number): TrustAnchors => ({
  ...anchors,
  contracts: anchors.contracts.map((one) => ({ ...one, fromBlock })),
})

describe('with a node that limits ranges', () => {
  test.each<Target>([
    { kind: 'bytes', receipt: evidence.receipt },
    byCid,
    { kind: 'transaction', txHash: receipt.transaction.txHash },
    { kind: 'proof', slug },
  ])('a receipt verifies by its $kind', async (target) => {
    const { verified, failed, notes } = await verdictOn(target, createSources().sources, { anchors })
    expect({ verified, failed, notes }).toEqual({ verified: true, failed: [], notes: [] })
  })

  test('no block that the service names hides an event that contradicts the receipt', async () => {
    const transactionHash = `0x${'dd'.repeat(32)}` as const
    const other = { ...event, ipfsCid: evidence.birth.cid, transactionHash, blockNumber: 20, confirmations: 1980 }
    const { sources } = createSources([other, born, event])
    const verdict = await verdictOn({ kind: 'proof', slug }, sources, { anchors })
    expect(verdict.event).toMatchObject({ status: 'fail', code: 'event_mismatch' })
  })

  test('a search that the reader ends counts as missing, says why, and is nothing against the receipt', async () => {
    const { sources } = createSources()
    const verdict = await verdictOn(byCid, sources, { anchors, signal: AbortSignal.abort() })
    expect(verdict.verified).toBe(false)
    expect(verdict.unchecked).toEqual(verdict.failed)
    expect(verdict.event).toMatchObject({
      code: 'evidence_missing',
      detail: expect.stringMatching(/got to block 0 of/),
    })
    expect(verdict.birth).toMatchObject({
      code: 'evidence_missing',
      detail: expect.stringMatching(/got to block 0 of/),
    })
    expect(verdict.notes.join()).toMatch(/events: .*got to block 0 of 1999.*lists of builds: .*got to block/)
  })

  test('one search finds the event and the birth', async () => {
    const { sources, filters } = createSources([born, event], Infinity)
    await verdictOn(byCid, sources, { anchors })
    expect(filters).toHaveLength(2) // the other is for the lists of builds
  })
})

describe('the first block', () => {
  const first = (filters: { fromBlock: string }[]) => Number(filters[0]!.fromBlock)

  test('is the contract’s own where the anchors name it, and then nothing was left out', async () => {
    const { sources, filters } = createSources()
    const { verified, notes } = await verdictOn(byCid, sources, { anchors: madeIn(350), fromBlock: 300 })
    expect({ verified, notes, first: first(filters) }).toEqual({ verified: true, notes: [], first: 350 })
  })

  test('may be the reader’s, and then the step and a note say what was not searched', async () => {
    const { sources, filters } = createSources()
    const verdict = await verdictOn(byCid, sources, { anchors: madeIn(350), fromBlock: 380 })
    expect(first(filters)).toBe(380)
    expect(verdict.notes).toEqual(['events: blocks before 380 were not searched'])
    expect(verdict.event).toMatchObject({ status: 'pass', detail: expect.stringMatching(/blocks before 380 were not/) })
    const late = await verdictOn(byCid, sources, { anchors, fromBlock: 901 })
    expect(late.event).toMatchObject({
      code: 'event_missing',
      detail: expect.stringMatching(/blocks before 901 were not/),
    })
  })

  test('holds for another contract only where the anchors name that one', async () => {
    const { sources, filters } = createSources()
    await verdictOn(byCid, sources, { anchors: madeIn(350), contract: `0x${'01'.repeat(20)}` })
    expect(first(filters)).toBe(0)
  })
})

test('a list of builds that is newer than an unread event refuses nothing', async () => {
  const { sources } = createSources()
  const { evidence: found } = await gatherEvidence(byCid, sources, { anchors })
  const { events: _, ...unread } = found
  const { failed, unchecked } = await verifyReceipt(unread, { anchors })
  expect(failed).toContain('release_list')
  expect(unchecked).toEqual(failed)
})
