import { createWalletClient, http, isAddressEqual, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { beforeEach, expect, test } from 'vitest'
import { canonicalJson } from '@perigee/core'
import { parseAnyReceipt } from '@perigee/core/receipt'
import { createPublishingMeter } from '../../clients/createPublishingMeter.js'
import type { ChainConfig } from '../../clients/chain/ChainConfig.js'
import { createChain } from '../../clients/chain/createChain.js'
import type { PinningNode } from '../../clients/ipfs/PinningNode.js'
import { serviceAttestationsAbi } from '../../contracts/index.js'
import {
  appendAuditEvent,
  getProof,
  loadProofRecord,
  renewVerification,
  type OnchainPlace,
  type ProofRecord,
} from '../../database/index.js'
import { deployForTests } from '../../tests/harness/index.js'
import { noEvidence } from '../../tests/rigs/publishing/seedProof.js'
import { useChainRig } from '../../tests/rigs/publishing/useChainRig.js'
import { installQuietRuntime } from '../../tests/rigs/workers/quietRuntime.js'
import { createPinActivities } from './createPinActivities.js'

/* CONTRACT_ADDRESS changes while receipts that name the former contract are under way. */

installQuietRuntime()
const rig = useChainRig()
const { eventsOf, offered, pinned, publish, slots } = rig
const outdated = { code: 'receipt_outdated', retryable: false }
const blocks = new Map<string, Uint8Array>()
const node: PinningNode = {
  name: 'memory',
  pin: async (cid, bytes) => void blocks.set(cid, bytes),
  look: async (cid) => (blocks.has(cid) ? 'held' : 'missing'),
  read: async (cid) => blocks.get(cid) ?? null,
}
const bytesOf = (receipt: unknown) => new TextEncoder().encode(canonicalJson(receipt))
let former: Hex
let changed: { contract: Hex }

beforeEach(async () => {
  former = rig.anvil.testChain.contractAddress
  changed = { contract: await deployNext() }
})

/** Another contract that accepts our key. */
async function deployNext(): Promise<Hex> {
  const next = await deployForTests(rig.anvil.testChain.rpcUrl)
  const address = next.contractAddress.toLowerCase() as Hex
  const account = privateKeyToAccount(next.contractOwnerKey)
  const owner = createWalletClient({ account, chain: foundry, transport: http(next.rpcUrl) })
  const args = [privateKeyToAccount(rig.key).address] as const
  const hash = await owner.writeContract({ address, abi: serviceAttestationsAbi, functionName: 'addPublisher', args }) // prettier-ignore
  await rig.anvil.client.waitForTransactionReceipt({ hash })
  return address
}

function pinActivities(changes: Partial<ChainConfig>) {
  const chain = createChain(rig.config(changes))
  const meter = createPublishingMeter()
  return createPinActivities({ database: rig.database, evidence: noEvidence, chain, nodes: [node], required: 1, meter })
}

/** Pins as a worker with the new contract does. */
function pin(slug: string, changes: Partial<ChainConfig> = changed): Promise<{ cid: string }> {
  return rig.env.run(pinActivities(changes).pinReceipt, { slug })
}

/** The contract that the receipt names, and the events for it. */
async function placesOf({ slug, txHash }: { slug: string; txHash: Hex }) {
  const { receipt, ipfsCid, status } = (await getProof(rig.database, slug))!
  const { contract } = parseAnyReceipt(bytesOf(receipt)).verification.publication
  const events = (await eventsOf(txHash)).map(({ address, args }) => [address.toLowerCase(), args.ipfsCid])
  return { status, contract, events, expected: [[contract, ipfsCid]] }
}

test('a pinned receipt that has no nonce is assembled again, for the new contract', async () => {
  const proof = await pinned()
  await rig.database.query(`UPDATE publications SET status_since = now() - interval '1 minute'`)
  await expect(publish(proof.slug, changed)).rejects.toMatchObject(outdated)
  expect(await slots()).toEqual([])
  await pin(proof.slug)
  await publish(proof.slug, changed)
  const { contract, events, expected, status } = await placesOf(proof)
  expect({ contract, status }).toEqual({ ...changed, status: 'complete' })
  expect(events).toEqual(expected)
})

test('one that is not pinned yet is pinned for the new contract at once', async () => {
  const proof = await pinned()
  await rig.database.query(`UPDATE publications SET status = 'pending_pin', cid = NULL, receipt = NULL WHERE slug = $1`, [proof.slug]) // prettier-ignore
  await pin(proof.slug)
  await publish(proof.slug, changed)
  const { contract, events, expected } = await placesOf(proof)
  expect(contract).toBe(changed.contract)
  expect(events).toEqual(expected)
})

test('a batch for the new contract leaves receipts for the former one out', async () => {
  const old = await pinned()
  const young = await pinned()
  await rig.database.query(`UPDATE publications SET status = 'pending_pin', cid = NULL, receipt = NULL WHERE slug = $1`, [young.slug]) // prettier-ignore
  await pin(young.slug)
  await publish(young.slug, changed)
  expect(await eventsOf(young.txHash)).toHaveLength(1)
  expect(await eventsOf(old.txHash)).toEqual([])
})

test('what was sent to the former contract stays there, also with higher fees, and is published once', async () => {
  await rig.anvil.client.setAutomine(false)
  const proof = await pinned()
  const gone = publish(proof.slug)
  gone.catch(() => undefined)
  await offered(1)
  const following = publish(proof.slug, { ...changed, bumpAfterMs: 0 })
  const sent = () => rig.database.query<{ hash: Hex }[]>('SELECT tx_hash AS hash FROM publisher_transactions ORDER BY created_at DESC') // prettier-ignore
  const { baseFeePerGas } = await rig.anvil.client.getBlock()
  await rig.anvil.client.setNextBlockBaseFeePerGas({ baseFeePerGas: (baseFeePerGas ?? 0n) * 3n })
  await expect.poll(async () => (await sent()).length).toBeGreaterThan(1)
  const whereTo = async () => {
    const [youngest] = await sent() // recorded before it is sent
    return rig.anvil.client
      .getTransaction({ hash: youngest!.hash })
      .then(({ to }) => to)
      .catch(() => null)
  }
  let to: Hex | null = null
  await expect.poll(async () => (to = await whereTo())).not.toBeNull()
  expect(isAddressEqual(to!, former)).toBe(true)
  await rig.anvil.client.setAutomine(true)
  await rig.anvil.client.mine({ blocks: 2 })
  await following
  const { contract, events, expected, status } = await placesOf(proof)
  expect({ contract, status }).toEqual({ contract: former.toLowerCase(), status: 'complete' })
  expect(events).toEqual(expected)
})

/** What an attempt to pin writes whose worker has the new contract and was stalled since it read this record. */
const renewLate = (slug: string, { attestation }: ProofRecord) =>
  renewVerification(rig.database, slug, attestation, {
    anchors: { ...attestation.anchors, publication: { ...attestation.anchors.publication, ...changed } },
  })

test('a late attempt to pin for the other contract does not hide what was sent', async () => {
  const proof = await pinned()
  const record = (await loadProofRecord(rig.database, proof.slug))!
  await rig.anvil.client.setAutomine(false)
  const gone = publish(proof.slug)
  gone.catch(() => undefined)
  await offered(1)
  await renewLate(proof.slug, record)
  await rig.anvil.client.setAutomine(true)
  await rig.anvil.client.mine({ blocks: 2 })
  await publish(proof.slug, changed)
  const { events, expected, status } = await placesOf(proof)
  expect(status).toBe('complete')
  expect(events).toEqual(expected)
})

test('a late attempt to pin does not undo a contract that was written since', async () => {
  const { slug } = await pinned()
  const record = (await loadProofRecord(rig.database, slug))!
  const third: Hex = `0x${'33'.repeat(20)}`
  const written = { ...record.attestation.anchors.publication, contract: third }
  await renewVerification(rig.database, slug, record.attestation, {
    anchors: { ...record.attestation.anchors, publication: written },
  })
  await renewLate(slug, record)
  expect((await loadProofRecord(rig.database, slug))?.attestation.anchors.publication).toEqual(written)
})

test.each(['pinned', 'not pinned'])(
  'a restored record, %s, whose receipt the former contract names gets no second event',
  async (state) => {
    const proof = await pinned()
    const { receipt } = (await getProof(rig.database, proof.slug))!
    await publish(proof.slug)
    await rig.anvil.client.mine({ blocks: 80 })
    const unpinned = state === 'pinned' ? '' : `, cid = NULL, receipt = NULL`
    await rig.database.query(
      `UPDATE publications SET status = $2, slot_id = NULL, onchain_tx_hash = NULL, onchain_block_number = NULL,
         onchain_block_hash = NULL ${unpinned} WHERE slug = $1`,
      [proof.slug, state === 'pinned' ? 'pending_onchain' : 'pending_pin'],
    )
    if (state === 'not pinned') {
      blocks.set((await eventsOf(proof.txHash))[0]!.args.ipfsCid!, bytesOf(receipt))
      await pin(proof.slug)
    }
    await publish(proof.slug, changed)
    const { contract, events, expected, status } = await placesOf(proof)
    expect({ contract, status }).toEqual({ contract: former.toLowerCase(), status: 'complete' })
    expect(events).toEqual(expected)
  },
)

test('a restored record whose receipt a contract between the first and the newest names gets no second event', async () => {
  const proof = await pinned()
  const unpin = () => rig.database.query(`UPDATE publications SET status = 'pending_pin', slot_id = NULL, cid = NULL, receipt = NULL,
    onchain_tx_hash = NULL, onchain_block_number = NULL, onchain_block_hash = NULL WHERE slug = $1`, [proof.slug]) // prettier-ignore
  const [backup] = await rig.database.query('SELECT anchors FROM attestations WHERE slug = $1', [proof.slug])
  await unpin()
  await pin(proof.slug)
  await publish(proof.slug, changed)
  await rig.anvil.client.mine({ blocks: 80 })
  await unpin()
  await rig.database.query('UPDATE attestations SET anchors = $2 WHERE slug = $1', [proof.slug, backup.anchors])
  const formerContracts = [changed.contract, former.toLowerCase() as Hex].map((contract) => ({ contract, block: 0 }))
  const newest = { contract: await deployNext(), formerContracts }
  await pin(proof.slug, newest)
  await publish(proof.slug, newest)
  const { contract, events, expected, status } = await placesOf(proof)
  expect({ contract, status }).toEqual({ ...changed, status: 'complete' })
  expect(events).toEqual(expected)
})

test('an anchor of the audit log that was sent to the former contract is anchored there, once', async () => {
  await appendAuditEvent(rig.database, { at: new Date(), kind: 'sign_in', subject: null, facts: {} })
  const { sequence }: { sequence: number } = await rig.env.run(pinActivities({}).pinAuditHead, {})
  await rig.anvil.client.setAutomine(false)
  const gone = rig.env.run(rig.activities().publishAuditHead, { sequence })
  gone.catch(() => undefined)
  await offered(1)
  const now = { ...changed, formerContracts: [{ contract: former.toLowerCase() as Hex, block: 0 }] }
  const following = rig.env.run(rig.activities(now).publishAuditHead, { sequence })
  await rig.anvil.client.setAutomine(true)
  await rig.anvil.client.mine({ blocks: 2 })
  const { onchainTxHash } = (await following) as OnchainPlace
  expect(isAddressEqual((await rig.anvil.client.getTransaction({ hash: onchainTxHash })).to!, former)).toBe(true)
  expect(await slots()).toHaveLength(1)
})
