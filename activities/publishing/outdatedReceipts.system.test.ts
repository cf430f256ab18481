import { installQuietRuntime } from '../../tests/rigs/workers/quietRuntime.js'
import { expect, test } from 'vitest'
import { getProof, markFailed, markRetried, storeBundlesOnce } from '../../database/index.js'
import { collateralBundle } from '../../tests/rigs/publishing/seedProof.js'
import { useChainRig } from '../../tests/rigs/publishing/useChainRig.js'

/* A receipt whose collateral is older than six days gets no block: verifiers would refuse it. */

installQuietRuntime()
const rig = useChainRig()
const { eventsOf, offered, pin, pinned, publish, slots } = rig
const outdated = { code: 'receipt_outdated', retryable: false }

/** As if the days had passed since the receipt was pinned and, where it has one, its nonce was given out. */
async function age(slug: string, days: number): Promise<void> {
  const old = await collateralBundle(days)
  await storeBundlesOnce(rig.database, [old])
  await rig.database.query('UPDATE attestations SET collateral_cid = $2 WHERE slug = $1', [slug, old.cid])
  await rig.database.query(
    `UPDATE publications SET receipt = jsonb_set(receipt::jsonb, '{signer,collateralCid}', to_jsonb($2::text)) WHERE slug = $1`,
    [slug, old.cid],
  )
  await rig.database.query('UPDATE publisher_slots SET created_at = now() - make_interval(days => $1)', [days])
}

/** An operator retries a failed birth whose receipt has become too old. */
async function outdateBirth(slug: string): Promise<void> {
  await markRetried(rig.database, slug)
  await age(slug, 7)
  await expect(publish(slug)).rejects.toMatchObject(outdated)
}

test('an outdated receipt gets no nonce and is to be pinned again; one that is not goes out', async () => {
  const [old, young] = [await pinned({ collateralDays: 7 }), await pinned({ collateralDays: 5 })]
  await expect(publish(old.slug)).rejects.toMatchObject(outdated)
  expect(await getProof(rig.database, old.slug)).toMatchObject({ status: 'pending_pin', ipfsCid: null, receipt: null })
  await publish(young.slug)
  expect(await slots()).toHaveLength(1)
  expect(await eventsOf(old.txHash)).toEqual([])
})

test('a worker dies before it reports an outdated receipt: the next attempt reports it', async () => {
  const { slug } = await pinned({ collateralDays: 7 })
  await expect(publish(slug)).rejects.toMatchObject(outdated)
  await expect(publish(slug)).rejects.toMatchObject(outdated)
  await expect(publish('no-such-proof')).rejects.toMatchObject({ code: 'proof_not_found' })
})

test('a batch leaves outdated receipts to their own workflow', async () => {
  const [old, young] = [await pinned({ collateralDays: 7 }), await pinned()]
  await publish(young.slug)
  expect(await eventsOf(young.txHash)).toHaveLength(1)
  expect(await eventsOf(old.txHash)).toEqual([])
  expect(await getProof(rig.database, old.slug)).toMatchObject({ status: 'pending_onchain' })
})

test('a receipt that is on the chain already is complete, however old', async () => {
  const proof = await pinned()
  await publish(proof.slug)
  await rig.anvil.client.mine({ blocks: 80 })
  // A database that was restored knows of no slot and no block.
  await rig.database.query(
    `UPDATE publications SET status = 'pending_onchain', slot_id = NULL, onchain_tx_hash = NULL, onchain_block_number = NULL,
       onchain_block_hash = NULL WHERE slug = $1`,
    [proof.slug],
  )
  await age(proof.slug, 9)
  await publish(proof.slug)
  expect(await getProof(rig.database, proof.slug)).toMatchObject({ status: 'complete' })
  expect(await eventsOf(proof.txHash)).toHaveLength(1)
})

test('a birth that is pinned again takes along the receipts that name it and have no nonce', async () => {
  const signed = await pinned()
  await outdateBirth(signed.birthSlug)
  expect(await getProof(rig.database, signed.slug)).toMatchObject({ status: 'pending_pin', ipfsCid: null })
  await expect(publish(signed.slug)).rejects.toMatchObject(outdated) // it was between two attempts
})

test.each([
  ['transaction', false],
  ['message', true],
])('the failed receipt of a %s that names an earlier birth receipt must be pinned again', async (_, message) => {
  const [signed, other] = [await pinned({ message }), await pinned()]
  await markFailed(rig.database, {
    slug: signed.slug,
    status: 'onchain_failed',
    code: 'chain_unavailable',
    message: '',
  })
  await outdateBirth(signed.birthSlug)
  await age(signed.birthSlug, 1) // another CID than before
  await pin(signed.birthSlug)
  await publish(signed.birthSlug)
  await markRetried(rig.database, signed.slug)
  await publish(other.slug) // leaves it out of the batch
  await expect(publish(signed.slug)).rejects.toMatchObject(outdated)
  expect(await getProof(rig.database, signed.slug)).toMatchObject({ status: 'pending_pin', ipfsCid: null })
  expect(await eventsOf(signed.txHash)).toEqual([])
  await pin(signed.slug)
  await publish(signed.slug)
  expect(await eventsOf(signed.txHash)).toHaveLength(1)
})

test.each([
  ['', false],
  [' with fees at the cap', true],
])(
  'a transaction that was signed but not mined for a week%s is cancelled, and its proofs are to be pinned again',
  async (_when, isAtCap) => {
    await rig.anvil.client.setAutomine(false)
    const { baseFeePerGas } = await rig.anvil.client.getBlock()
    // The market asks for more than twice the base fee.
    const changes = isAtCap ? { maxFeePerGasCap: 2n * (baseFeePerGas ?? 0n) } : {}
    const [first, second] = [await pinned(), await pinned()]
    const following = publish(first.slug, changes)
    following.catch(() => undefined)
    await offered(1)
    await age(first.slug, 14)
    await expect
      .poll(() => rig.database.query('SELECT count(*)::int AS count FROM publisher_transactions'))
      .toEqual([{ count: 2 }])
    const stopMining = rig.anvil.keepMining(50) // until the nonce is final
    await expect(following).rejects.toMatchObject(outdated)
    await stopMining()
    expect(await eventsOf(first.txHash)).toEqual([])
    expect(await slots()).toMatchObject([{ nonce: 0, state: 'lost' }])
    await rig.anvil.client.setAutomine(true)
    await publish(second.slug, changes)
    expect(await eventsOf(second.txHash)).toHaveLength(1)
  },
)
