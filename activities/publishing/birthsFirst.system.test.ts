import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { birthHash } from '@perigee/core/receipt'
import { installQuietRuntime } from '../../tests/rigs/workers/quietRuntime.js'
import { useChainRig } from '../../tests/rigs/publishing/useChainRig.js'

/* A receipt names its wallet's birth by CID, which changes if the birth waits too long for the chain. */

installQuietRuntime()
const rig = useChainRig()
const { eventsOf, pinned, publish, slots } = rig

const setBirth = (slug: string, status: string) =>
  rig.database.query('UPDATE publications SET status = $2, abandoned_at = NULL WHERE slug = $1', [slug, status])
const eventOfBirth = async (slug: string) => {
  const [{ address }] = await rig.database.query<[{ address: `0x${string}` }]>(
    'SELECT address FROM publications JOIN wallets ON wallets.id = wallet_id WHERE slug = $1',
    [slug],
  )
  return eventsOf(birthHash(address))
}

test('one transaction publishes a birth and the receipts that name it', async () => {
  const { slug, birthSlug, txHash } = await pinned()
  await setBirth(birthSlug, 'pending_onchain')
  await publish(slug)
  const [signed, born] = [await eventsOf(txHash), await eventOfBirth(birthSlug)]
  expect(signed).toHaveLength(1)
  expect(born.map(({ transactionHash }) => transactionHash)).toEqual(signed.map((event) => event.transactionHash))
})

test.each([
  ['transaction', false],
  ['message', true],
])(
  'the receipt of a %s gets no nonce before the birth is on its way, and does not hold up others',
  async (_, message) => {
    const [early, other] = [await pinned({ message }), await pinned()]
    await setBirth(early.birthSlug, 'pending_pin')
    const publishing = publish(early.slug)
    await publish(other.slug)
    expect(await eventsOf(other.txHash)).toHaveLength(1)
    await sleep(500)
    expect(await eventsOf(early.txHash)).toEqual([])
    expect(await slots()).toHaveLength(1)
    await setBirth(early.birthSlug, 'pending_onchain')
    await publishing
    expect(await eventsOf(early.txHash)).toHaveLength(1)
  },
)

test('a receipt whose birth has failed says so, and names the proof to repair first', async () => {
  const { slug, birthSlug, txHash } = await pinned()
  await setBirth(birthSlug, 'onchain_failed')
  const message = expect.stringContaining(birthSlug) as string
  await expect(publish(slug)).rejects.toMatchObject({ code: 'birth_not_published', retryable: true, message })
  expect(await eventsOf(txHash)).toEqual([])
})
