import { expect, test } from 'vitest'
import { canonicalJson, cidOf, type Json } from '../../bytes/index.js'
import { gatherEvidence } from '../gather/index.js'
import { nodeOf } from '../gather/testing/nodeOf.js'
import { createCases } from '../testing/cases/createCases.js'
import { codeFor, firstFailure } from '../testing/firstFailure.js'
import { leafPaths, mutantsOf } from '../testing/mutants.js'
import type { ReceiptVerdict } from './types.js'

/** Refused for what is around the receipt, not for what is in it. */
const failing = [
  'a receipt repaired after 20 days, with the old collateral',
  'a revoked key, dated back, with the collateral of its time',
  'a revoked key, dated back, with the collateral of today',
  'a build that the second list withdrew',
  'a foreign key keeper',
  'two births',
  'simulated hardware under the vendors’ roots',
]
const cases = (await createCases()).filter(({ name }) => failing.includes(name))

/** What a publisher can write without breaking what hardware and arithmetic bind. */
const writable =
  /^(issuedAt|simulated|spec|coordinator\.(fetchedAt|rootFingerprint)|verification|signer\.(platform|verifiedAt|tcbStatus|advisoryIds|rootFingerprint))/

test('the cases exist', () => {
  expect(cases.map(({ name }) => name).sort()).toEqual([...failing].sort())
})

test.each(cases)('no change of $name makes it verify', async (one) => {
  const sources = {
    fetchCid: async (cid: string) => one.blocks[cid]!,
    readProof: async () => null,
    rpc: nodeOf(one.events, { releases: one.releases }),
  }
  const { anchors } = one
  const { evidence } = await gatherEvidence({ kind: 'cid', cid: one.cid }, sources, { anchors })
  const receipt = JSON.parse(new TextDecoder().decode(evidence.receipt)) as Json
  const shared = { births: new Map<string, Promise<ReceiptVerdict>>(), lists: new Map() }
  const mutants = leafPaths(receipt)
    .filter((path) => writable.test(path.join('.')))
    .flatMap((path) => mutantsOf(receipt, path))
  expect(mutants.length).toBeGreaterThan(100)
  for (const { path, what, value } of mutants) {
    const bytes = new TextEncoder().encode(canonicalJson(value))
    const cid = cidOf(bytes)
    const events = evidence.events!.map((event) => ({ ...event, ipfsCid: cid })) // its block stays: a node saw it
    const failure = await firstFailure({ ...evidence, receipt: bytes, cid, events }, { anchors, ...shared })
    expect([path, what, codeFor(failure)]).toEqual([path, what, expect.stringMatching(/^(?!passed|stray)/)])
  }
})
