import { describe, expect, test } from 'vitest'
import type { ProofPayload } from '../../proof/index.js'
import { birthHash } from '../subjectOf.js'
import { mintBirth } from '../testing/mintBirth.js'
import { blocksOf, mintReceipt } from '../testing/mintReceipt.js'
import { proofOf } from '../testing/proofOf.js'
import { createSimulatedWorld, sampleEntropy } from '../testing/simulatedWorld.js'
import { ServiceError } from '../../errors/index.js'
import { verifyReceipt, type PublishedEvent } from '../verify/index.js'
import { fetchCid } from './fetchCid.js'
import { gatherEvidence, type Sources, type Target } from './gatherEvidence.js'
import { nodeOf } from './testing/nodeOf.js'

const world = await createSimulatedWorld()
const [asked, other] = [42, 43].map((nonce) =>
  mintReceipt(world, { transaction: { nonce }, entropy: sampleEntropy(String(nonce), world.signedAt - 5) }),
) as [ReturnType<typeof mintReceipt>, ReturnType<typeof mintReceipt>]
const { anchors, evidence, receipt, birth } = asked
const blocks: Record<string, Uint8Array> = { ...blocksOf(asked), ...blocksOf(other) }
const releases = evidence.releases.announcements
const event = evidence.events[0]!
const slug = 'the-slug'
const proof = proofOf(asked, slug)
const sources = (answer: unknown = proof): Sources => ({
  fetchCid: async (cid) => {
    const bytes = blocks[cid]
    if (bytes === undefined) throw new ServiceError('evidence_missing', 'no gateway has it')
    return bytes
  },
  readProof: async () => answer,
  rpc: nodeOf([event, other.evidence.events[0]!, ...evidence.birth.events], { releases }),
})

describe('gatherEvidence', () => {
  test.each([
    { kind: 'bytes', receipt: evidence.receipt },
    { kind: 'cid', cid: evidence.cid },
    { kind: 'transaction', txHash: receipt.transaction.txHash },
    { kind: 'proof', slug },
  ] as const)('finds everything for $kind', async (target) => {
    const gathered = await gatherEvidence(target, sources(), { anchors })
    expect(gathered.notes).toEqual([])
    expect((await verifyReceipt(gathered.evidence, { anchors })).verified).toBe(true)
  })

  test('finds the event whichever of the contracts that the reader expects has emitted it', async () => {
    const former = { chainId: event.chainId, address: `0x${'0f'.repeat(20)}` } as const
    const both = { ...anchors, contracts: [former, ...anchors.contracts] }
    const target = { kind: 'transaction', txHash: receipt.transaction.txHash } as const
    const gathered = await gatherEvidence(target, sources(), { anchors: both })
    expect(gathered.evidence.events).toHaveLength(1)
    expect((await verifyReceipt(gathered.evidence, { anchors: both })).verified).toBe(true)
  })

  describe('with a second receipt of the transaction, by another contract that the reader expects', () => {
    const former = { chainId: event.chainId, contract: `0x${'0f'.repeat(20)}` } as const
    const both = { ...anchors, contracts: [...anchors.contracts, { chainId: event.chainId, address: former.contract }] }
    const born = { birth, evidence: evidence.birth }
    const twin = mintReceipt(world, { transaction: { nonce: 42 }, birth: born, publication: former })
    const reborn = mintBirth(world, { publication: former })
    const held = { ...blocks, ...blocksOf(twin), [reborn.evidence.cid]: reborn.evidence.receipt }
    const failuresOf = async (target: Target, events: readonly PublishedEvent[], expected = both) => {
      const rpc = nodeOf([event, ...evidence.birth.events, ...events], { releases })
      const places = { ...sources(), fetchCid: async (cid: string) => held[cid]!, rpc }
      const found = await gatherEvidence(target, places, { anchors: expected })
      const { steps } = await verifyReceipt(found.evidence, { anchors: expected })
      return Object.fromEntries(steps.flatMap(({ step, code }) => (code ? [[step, code]] : [])))
    }
    const targets: Target[] = [
      { kind: 'cid', cid: evidence.cid },
      { kind: 'cid', cid: twin.evidence.cid },
      { kind: 'transaction', txHash: receipt.transaction.txHash },
      { kind: 'proof', slug },
      { kind: 'bytes', receipt: evidence.receipt },
      { kind: 'bytes', receipt: twin.evidence.receipt },
    ]

    test.each(targets)('neither is verified: $kind', async (target) => {
      expect(twin.receipt.transaction.txHash).toBe(receipt.transaction.txHash)
      expect(await failuresOf(target, twin.evidence.events)).toMatchObject({ onchain_event: 'event_mismatch' })
    })

    test.each(targets.filter((target) => target !== targets[1] && target !== targets[5]))(
      'a second birth there refuses it too: $kind',
      async (target) => {
        expect(await failuresOf(target, reborn.evidence.events)).toEqual({ birth: 'birth_duplicate' })
        expect(await failuresOf(target, reborn.evidence.events, anchors)).toEqual({})
      },
    )

    test.each([evidence.birth.cid, reborn.evidence.cid])('nor is either birth: %s', async (cid) => {
      expect(await failuresOf({ kind: 'cid', cid }, reborn.evidence.events)).toEqual({
        onchain_event: 'event_mismatch',
      })
    })
  })

  test.each<[string, Partial<Record<keyof ProofPayload, unknown>>]>([
    ['slug', { slug: 'another-slug' }],
    ['CID', { ipfsCid: other.evidence.cid }],
    ['CID and receipt', { ipfsCid: other.evidence.cid, receipt: other.receipt }],
    ['transaction', { txHash: other.receipt.transaction.txHash }],
    ['wallet', { walletAddress: `0x${'01'.repeat(20)}` }],
    ['chain', { chainId: 1 }],
    ['receipt', { receipt: { ...receipt, simulated: false } }],
    ['receipt without a canonical form', { receipt: { fraction: 0.5 } }],
    ['event transaction', { onchainTxHash: `0x${'01'.repeat(32)}` }],
    ['event block', { onchainBlockNumber: 1 }],
  ])('refuses an answer of the service with another %s', async (_, change) => {
    const answer = { ...proof, ...change }
    await expect(gatherEvidence({ kind: 'proof', slug }, sources(answer), { anchors })).rejects.toMatchObject({
      code: 'claim_mismatch',
    })
  })

  test('refuses an answer that is no proof, and says when the receipt is not published yet', async () => {
    const gather = (answer: unknown) => gatherEvidence({ kind: 'proof', slug }, sources(answer), { anchors })
    await expect(gather({ ...proof, txHash: 7 })).rejects.toMatchObject({ code: 'service_unavailable' })
    await expect(gather({ ...proof, ipfsCid: null, status: 'pending_pin' })).rejects.toMatchObject({
      code: 'evidence_missing',
      facts: { status: 'pending_pin' },
    })
  })

  test('notes what it could not fetch, and leaves the verdict to the steps', async () => {
    const none = { ...anchors, contracts: [] }
    const offline = { ...sources(), fetchCid: async () => evidence.receipt }
    const { notes } = await gatherEvidence({ kind: 'cid', cid: evidence.cid }, sources(), { anchors: none })
    expect(notes).toEqual([expect.stringMatching(/^events: .*\(evidence_missing\)$/)])
    const broken = {
      ...offline,
      rpc: async () => {
        throw new ServiceError('chain_unavailable', 'no answer')
      },
    }
    const gathered = await gatherEvidence({ kind: 'bytes', receipt: evidence.receipt }, broken, { anchors })
    expect(gathered.notes).toEqual([
      'events: no answer (chain_unavailable)',
      'lists of builds: no answer (chain_unavailable)',
    ])
    const { steps, failed } = await verifyReceipt(gathered.evidence, { anchors })
    expect(failed).toContain('onchain_event')
    expect(steps.find(({ step }) => step === 'onchain_event')?.detail).toMatch(/could not be fetched: no answer$/)
  })

  test('finds a birth by its CID, its hash and its slug, and compares the service’s answer with it', async () => {
    const { cid } = evidence.birth
    const txHash = birthHash(birth.key.address)
    const { chainId } = birth.verification.publication
    const onchainBlockNumber = evidence.birth.events[0]!.blockNumber
    const claim = { ...proof, kind: 'birth', txHash, chainId, ipfsCid: cid, onchainBlockNumber, receipt: birth }
    const targets = [
      { kind: 'cid', cid } as const,
      { kind: 'transaction', txHash } as const,
      { kind: 'proof', slug } as const,
    ]
    for (const target of targets) {
      const gathered = await gatherEvidence(target, sources(claim), { anchors })
      expect(await verifyReceipt(gathered.evidence, { anchors })).toMatchObject({ verified: true, kind: 'birth', cid })
    }
    const lie = gatherEvidence({ kind: 'proof', slug }, sources({ ...claim, kind: 'transaction' }), { anchors })
    await expect(lie).rejects.toMatchObject({ code: 'claim_mismatch' })
  })

  test('leaves the birth alone when its step is skipped, and notes when it cannot be fetched', async () => {
    const { evidence: without } = await gatherEvidence({ kind: 'cid', cid: evidence.cid }, sources(), {
      anchors,
      skip: ['birth'],
    })
    expect(without.birth).toBeUndefined()
    const { [evidence.birth.cid]: _, ...rest } = blocks
    const fetchCid = async (cid: string) => rest[cid] ?? Promise.reject(new ServiceError('evidence_missing', 'gone'))
    const { notes } = await gatherEvidence({ kind: 'cid', cid: evidence.cid }, { ...sources(), fetchCid }, { anchors })
    expect(notes).toEqual(['birth: gone (evidence_missing)'])
  })
})

describe('fetchCid', () => {
  const answers: Record<string, Uint8Array> = { liar: new Uint8Array(3), honest: evidence.receipt }
  const get = async (url: string) => {
    const bytes = answers[new URL(url).host]
    if (bytes === undefined) throw new ServiceError('service_unavailable', 'it answered 404')
    return bytes
  }
  const from = (...hosts: string[]) =>
    fetchCid(evidence.cid, 'receipt', { urls: hosts.map((host) => `http://${host}`), get })

  test('takes the bytes from the first gateway that has them', async () => {
    await expect(from('empty', 'liar', 'honest')).resolves.toEqual(evidence.receipt)
  })

  test('says that a gateway lied even when the next one only had nothing', async () => {
    await expect(from('liar', 'empty')).rejects.toMatchObject({ code: 'cid_mismatch' })
  })

  test('needs a gateway', async () => {
    await expect(from()).rejects.toMatchObject({ code: 'evidence_missing' })
  })
})
