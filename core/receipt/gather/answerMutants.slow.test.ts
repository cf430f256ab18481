import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cidOf, type Json } from '../../bytes/index.js'
import { isErrorCode, ServiceError } from '../../errors/index.js'
import { blocksOf, mintReceipt } from '../testing/mintReceipt.js'
import { leafPaths, mutantsOf } from '../testing/mutants.js'
import { proofOf } from '../testing/proofOf.js'
import { createSimulatedWorld } from '../testing/simulatedWorld.js'
import { gatherEvidence, type Gathered } from './gatherEvidence.js'
import { nodeOf } from './testing/nodeOf.js'

const minted = mintReceipt(await createSimulatedWorld())
const { anchors, evidence } = minted
const blocks = blocksOf(minted)
const rpc = nodeOf(evidence.events)
const slug = 'the-slug-of-this-proof'
const answer = { ...proofOf(minted, slug), ipfsUrl: 'https://gateway.example' } as unknown as Json

// The birth and the lists are not the service's to answer.
const options = { anchors, skip: ['birth', 'release_list', 'collateral_cid', 'quote'] as const }

/** `same` when the evidence is what the honest answer leads to; otherwise the code of the refusal. */
async function outcomeOf(given: unknown): Promise<string> {
  const sources = {
    fetchCid: async (cid: string) => {
      const bytes = blocks[cid]
      if (!Object.hasOwn(blocks, cid) || bytes === undefined)
        throw new ServiceError('evidence_missing', 'no gateway has it')
      return bytes
    },
    readProof: async () => given,
    rpc,
  }
  try {
    const found = summaryOf(await gatherEvidence({ kind: 'proof', slug }, sources, options))
    expect(found).toBe(summaryOf(await honest))
    return 'same'
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return isErrorCode(error.code) && error.code !== 'internal_error' ? error.code : `stray ${error.code}`
  }
}

const honest = gatherEvidence(
  { kind: 'cid', cid: evidence.cid },
  { fetchCid: async (cid) => blocks[cid]!, readProof: async () => null, rpc },
  options,
)

const summaryOf = ({ evidence: { receipt: bytes, ...rest }, notes }: Gathered) =>
  JSON.stringify([cidOf(bytes), rest, notes])

test('no answer of the service changed in one place leads to other evidence', async () => {
  const same = new Set<string>()
  const mutants = leafPaths(answer).flatMap((path) => mutantsOf(answer, path))
  expect(mutants.length).toBeGreaterThan(1000)
  for (const { path, value } of mutants) {
    const outcome = await outcomeOf(value)
    if (outcome === 'same') same.add(path)
    else expect(outcome).toMatch(/^(claim_mismatch|service_unavailable|evidence_missing|cid_mismatch)$/)
  }
  // What is not compared decides nothing: nobody is shown these as facts. Without an event's place, the chain is searched.
  expect([...same].sort()).toEqual([
    'createdAt',
    'ipfsUrl',
    'kmsQuoteVerified',
    'onchainBlockNumber',
    'onchainTxHash',
    'status',
  ])
})

test('any JSON in place of a member, or of the whole answer, is refused with a code or changes nothing', async () => {
  const member = fc.constantFrom(...Object.keys(answer as object))
  await fc.assert(
    fc.asyncProperty(member, fc.jsonValue({ maxDepth: 3 }), async (name, value) => {
      expect(await outcomeOf({ ...(answer as object), [name]: value })).not.toMatch(/^stray/)
    }),
    { numRuns: 1000 },
  )
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 3 }), async (value) => {
      expect(await outcomeOf(value)).toBe('service_unavailable')
    }),
    { numRuns: 1000 },
  )
})
