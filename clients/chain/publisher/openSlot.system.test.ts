import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { EntityManager } from 'typeorm'
import type { Hex } from '@perigee/core'
import {
  closeSlot,
  findPinned,
  findWaiting,
  openSlot,
  reopenSlot,
  type NewSlot,
  type NewTransaction,
} from '../../../database/index.js'
import { createChain } from '../createChain.js'
import { createPublisher } from './createPublisher.js'
import { useChainRig } from '../../../tests/rigs/publishing/useChainRig.js'
import { someoneWaits } from '../../../tests/rigs/someoneWaits.js'

/* A proof in two slots would be two events. Each test holds one caller open while another waits for the same rows. */

const rig = useChainRig()
const chainId = 31337
const [one, other] = [`0x${'11'.repeat(20)}`, `0x${'22'.repeat(20)}`] as [Hex, Hex]

function rowsFor(sender: Hex, nonce: number, slugs: readonly string[]) {
  const id = randomUUID()
  const calldata: Hex = `0x${Buffer.from(slugs.join()).toString('hex')}`
  const slot: NewSlot = {
    id,
    chainId,
    sender,
    nonce,
    calldata,
    state: 'open',
    gas: '1',
    costWei: null,
  }
  const transaction: NewTransaction = {
    txHash: `0x${id}`,
    slotId: id,
    raw: '0x',
    maxFeePerGas: '1',
    maxPriorityFeePerGas: '1',
  }
  return { slot, transaction }
}

/** Gives the proofs a nonce as the publisher does. `after` runs before the commit. */
async function open(
  sender: Hex,
  slugs: readonly string[],
  { formerId = null, after }: { formerId?: string | null; after?: (manager: EntityManager) => Promise<unknown> } = {},
): Promise<string | null> {
  for (let nonce = 0; ;) {
    const { slot, transaction } = rowsFor(sender, nonce, slugs)
    const due = await rig.database.transaction(async (manager) => {
      const answer = await openSlot(manager, slot, transaction, {
        proofs: slugs.map(asPinned),
        formerId,
        minedCount: 0,
      })
      if (answer === nonce) await after?.(manager)
      return answer
    })
    if (due === null) return null
    if (due === nonce) return slot.id
    nonce = due
  }
}

/** The proofs of each slot as the records have them, which must be those that its transactions carry. */
async function carried(): Promise<Map<string, string[]>> {
  const rows = await rig.database.query<{ id: string; calldata: Hex; slugs: string[]; offers: number }[]>(
    `SELECT s.id, s.calldata, array_remove(array_agg(p.slug), NULL) AS slugs,
            (SELECT count(*)::int FROM publisher_transactions t WHERE t.slot_id = s.id) AS offers
       FROM publisher_slots s LEFT JOIN publications p ON p.slot_id = s.id GROUP BY s.id`,
  )
  for (const { offers } of rows) expect(offers).toBe(1)
  for (const { calldata, slugs } of rows.filter(({ slugs }) => slugs.length > 0)) {
    expect(Buffer.from(calldata.slice(2), 'hex').toString().split(',').sort()).toEqual([...slugs].sort())
  }
  return new Map(rows.map(({ id, slugs }) => [id, slugs]))
}

/** Runs `second` while what `first` has done is not committed yet, and commits only when it waits. */
async function whileHeld<T>(
  first: (hold: () => Promise<void>) => Promise<unknown>,
  second: () => Promise<T>,
): Promise<T> {
  let reached: () => void = () => undefined
  const held = new Promise<void>((resolve) => (reached = resolve))
  const firstDone = first(async () => {
    reached()
    await someoneWaits(rig.database)
  })
  await Promise.race([held, firstDone])
  const secondDone = second()
  await firstDone
  return secondDone
}

/** The CIDs that the proofs had when a publisher read them. */
const cids = new Map<string, string>()
const asPinned = (slug: string) => ({ slug, cid: cids.get(slug) ?? '' })

const slugsOf = async (count: number) => {
  const slugs: string[] = []
  while (slugs.length < count) {
    const { slug } = await rig.pinned()
    cids.set(slug, (await findPinned(rig.database, slug))?.cid ?? '')
    slugs.push(slug)
  }
  return slugs
}

test('a nonce that is not the next one is refused, with the next one, and nothing is left behind', async () => {
  const [first, second] = (await slugsOf(2)) as [string, string]
  expect(await open(one, [first])).not.toBeNull()
  const ask = (nonce: number, minedCount: number) => {
    const { slot, transaction } = rowsFor(one, nonce, [second])
    return openSlot(rig.database, slot, transaction, { proofs: [asPinned(second)], formerId: null, minedCount })
  }
  expect(await ask(0, 0)).toBe(1) // given out already
  expect(await ask(5, 0)).toBe(1) // would leave a gap
  expect(await ask(1, 7)).toBe(7) // used on the chain by another program
  expect((await carried()).size).toBe(1)
  expect(await ask(7, 7)).toBe(7)
  expect([...(await carried()).values()].flat().sort()).toEqual([first, second].sort())
})

test('a publisher whose nonce another has just taken signs for the next one', async () => {
  const publisher = createPublisher(rig.database, createChain(rig.config()))
  const [first, second] = (await slugsOf(2)) as [string, string]
  const waiting = await findWaiting(rig.database, first, 2)
  const proof = (slug: string) => waiting.filter((one) => one.slug === slug)
  const room = await publisher.accountsWithRoom() // as both saw it
  const opened = [await publisher.open(proof(first), room, null), await publisher.open(proof(second), room, null)]
  const { nonce } = room[0] as { nonce: number }
  expect(opened.map((slot) => slot?.nonce)).toEqual([nonce, nonce + 1])
  const places = [await rig.publish(first), await rig.publish(second)]
  const sent = await Promise.all(opened.map((slot) => publisher.hashesOf(slot?.id ?? '')))
  expect(places.map(({ onchainTxHash }) => [onchainTxHash])).toEqual(sent)
})

test.each([
  ['the same key', one],
  ['another key', other],
])('a proof that is being given to a slot is not given to a second, by %s', async (_which, sender) => {
  const slugs = await slugsOf(2)
  const second = await whileHeld(
    (hold) => open(one, slugs, { after: hold }),
    () => open(sender, slugs),
  )
  expect(second).toBeNull()
  expect([...(await carried()).values()].map((found) => found.length)).toEqual([2])
})

test('a batch that loses one of its proofs to another slot leaves no slot, no transaction and no proof behind', async () => {
  const [first, middle, last] = (await slugsOf(3)) as [string, string, string]
  const second = await whileHeld(
    (hold) => open(one, [middle], { after: hold }),
    () => open(other, [first, middle, last]),
  )
  expect(second).toBeNull()
  expect([...(await carried()).values()]).toEqual([[middle]])
})

test('a proof whose row changes while a slot waits for it, but which stays free, is in that slot', async () => {
  const slugs = await slugsOf(2)
  const change = (hold: () => Promise<void>) =>
    rig.database.transaction(async (manager) => {
      await manager.query('UPDATE publications SET status_since = now() WHERE slug = ANY($1)', [slugs])
      await hold()
    })
  const opened = await whileHeld(change, () => open(one, slugs))
  expect(opened).not.toBeNull()
  expect((await carried()).get(opened ?? '')?.sort()).toEqual([...slugs].sort())
})

test.each([
  ['ends', `status = 'onchain_failed'`],
  ['gets another CID, because its receipt is pinned again,', `cid = 'bafkreiother'`],
])('a proof that %s while a slot waits for it is in no slot, and there is none', async (_what, change) => {
  const slugs = await slugsOf(2)
  const update = (hold: () => Promise<void>) =>
    rig.database.transaction(async (manager) => {
      await manager.query(`UPDATE publications SET ${change} WHERE slug = $1`, [slugs[1]])
      await hold()
    })
  expect(await whileHeld(update, () => open(one, slugs))).toBeNull()
  expect((await carried()).size).toBe(0)
})

test('a proof leaves a spent slot once, and not when that is being opened again', async () => {
  const [slug, taken] = (await slugsOf(2)) as [string, string]
  const formerId = (await open(one, [slug])) ?? ''
  await closeSlot(rig.database, formerId, 'lost')
  const twice = await whileHeld(
    (hold) => open(one, [slug], { formerId, after: hold }),
    () => open(other, [slug], { formerId }),
  )
  expect(twice).toBeNull()

  const reopenedId = (await open(one, [taken])) ?? ''
  await closeSlot(rig.database, reopenedId, 'lost')
  const reopen = (hold: () => Promise<void>) =>
    rig.database.transaction(async (manager) => {
      await manager.query('SELECT id FROM publisher_slots WHERE id = $1 FOR UPDATE', [reopenedId])
      await manager.query(`UPDATE publisher_slots SET state = 'open' WHERE id = $1`, [reopenedId])
      await hold()
    })
  expect(await whileHeld(reopen, () => open(other, [taken], { formerId: reopenedId }))).toBeNull()
  expect((await carried()).get(reopenedId)).toEqual([taken])
})

test('a spent slot that its proof is leaving is not opened again', async () => {
  const [slug] = (await slugsOf(1)) as [string]
  const formerId = (await open(one, [slug])) ?? ''
  await closeSlot(rig.database, formerId, 'lost')
  const reopened = await whileHeld(
    (hold) => open(other, [slug], { formerId, after: hold }),
    () => reopenSlot(rig.database, formerId),
  )
  expect(reopened).toBe(false)
})

test('many callers with overlapping batches and three keys: each proof is in one slot, each slot has its whole batch', async () => {
  const slugs = await slugsOf(12)
  const keys = [one, other, `0x${'33'.repeat(20)}` as Hex]
  const calls = Array.from({ length: 60 }, (_, n) => {
    const batch = slugs.filter((_slug, index) => (index * 7 + n * 5) % 12 < 1 + (n % 4))
    return open(keys[n % 3] as Hex, n % 2 ? batch : batch.reverse())
  })
  const opened = (await Promise.all(calls)).filter((id) => id !== null)
  const slots = await carried()
  expect([...slots.keys()].sort()).toEqual(opened.sort())
  const given = [...slots.values()].flat()
  expect(new Set(given).size).toBe(given.length)
  for (const found of slots.values()) expect(found.length).toBeGreaterThan(0)
})
