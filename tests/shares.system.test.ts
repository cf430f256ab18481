import { createTestClient, http } from 'viem'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serializeSigned, transactionDigest, type Hex, type TxMetadata, type WalletInfo } from '@perigee/core'
import type { Browser } from '../api/testing/Browser.js'
import { exampleTransaction } from '../api/testing/exampleTransaction.js'
import { subjectOf } from '../dev/identityProvider/account.js'
import { components, fund } from './harness/index.js'
import { startApis, type TestApis } from './rigs/api/startApis.js'
import { startService, type TestService } from './rigs/workers/startService.js'

const wide = { perSecond: 10_000, burst: 10_000, perDay: 10_000, unsent: 10_000 }
const shares = {
  users: { ...wide, perDay: 8 },
  groups: [
    {
      name: 'senders',
      members: [`dev:${subjectOf('sender@example.test')}`],
      users: { ...wide, unsent: 3 },
      group: wide,
    },
    {
      name: 'team',
      members: ['anna', 'bert'].map((name) => `dev:${subjectOf(`${name}@example.test`)}`),
      users: wide,
      group: { ...wide, perDay: 9 },
    },
  ],
  addresses: { perSecond: 10_000, burst: 10_000 },
  births: { perSecond: 10_000, burst: 10_000 },
  streams: { perAddress: 10_000, perUser: 4 },
}

let service: TestService
let apis: TestApis
beforeAll(async () => {
  service = await startService({ env: { PUBLISH_UNSENT_AFTER: '600' } })
  await service.startWorkers()
  apis = await startApis(service, 3, shares)
})
afterAll(async () => {
  await apis?.close()
  await service.close()
})

interface Person {
  browser: Browser
  address: Hex
}

/** Somebody with a wallet, which counts as one of the day's signatures. */
async function newPerson(name: string, ether = '100'): Promise<Person> {
  const browser = await apis.signIn(`${name}@example.test`)
  const answer = await apis.post(browser, 0, '/wallet/provision')
  expect(answer.status).toBe(200)
  const { address } = (await answer.json()) as WalletInfo
  if (ether !== '0') await fund(address, ether)
  return { browser, address }
}

let value = 0
const newTransaction = (): TxMetadata => ({ ...exampleTransaction, value: String(++value) })

/** Asks again when a busy machine did not answer in time, as clients do. */
async function sign(person: Person, process: number, transaction = newTransaction()): Promise<Response> {
  const body = { digest: transactionDigest(transaction), txMetadata: transaction }
  const answer = await apis.post(person.browser, process, '/sign/digest', body)
  return answer.status === 503 ? sign(person, process, transaction) : answer
}

/** At once, over all processes. */
async function signMany(people: Person[], count: number) {
  const asked = Array.from({ length: count }, newTransaction)
  const answers = await Promise.all(
    asked.map((transaction, index) => sign(people[index % people.length] as Person, index, transaction)),
  )
  const signed = asked.filter((_, index) => answers[index]?.status === 200)
  const refused = answers.filter(({ status }) => status === 429)
  expect(signed.length + refused.length).toBe(count)
  return { signed, refused, answers }
}

async function signatures(address: Hex): Promise<number> {
  const [row] = await service.database.query<{ n: number }[]>(
    `SELECT count(*)::int AS n FROM transactions t JOIN wallets w ON w.id = t.wallet_id WHERE w.address = $1`,
    [address],
  )
  return row?.n ?? 0
}

test('three processes together sign a user’s share of a day and not one more; refusals say so', async () => {
  const person = await newPerson('dave')
  const { signed, refused } = await signMany([person], 30)
  expect(signed).toHaveLength(7)
  expect(await signatures(person.address)).toBe(7)
  for (const answer of refused) {
    const wait = Number(answer.headers.get('retry-after'))
    expect(wait).toBeGreaterThanOrEqual(1)
    expect(answer.headers.get('ratelimit-policy')).toBe('"user.perDay";q=8;w=86400')
    expect(answer.headers.get('ratelimit')).toBe(`"user.perDay";r=0;t=${wait}`)
    expect(await answer.json()).toMatchObject({
      code: 'share_exceeded',
      status: 429,
      facts: { share: 'user.perDay', retryAfterSeconds: wait },
    })
  }
  // What is signed is given again by every process, although nothing is left.
  const again = await Promise.all([0, 1, 2].map((process) => sign(person, process, signed[0])))
  const slugs = await Promise.all(again.map(async (answer) => ((await answer.json()) as { slug: string }).slug))
  expect(new Set(slugs).size).toBe(1)
  expect(await service.database.query('SELECT signatures, births FROM usage_days')).toEqual([
    { signatures: 7, births: 1 },
  ])
})

test('a group’s members share what the group has', async () => {
  const people = [await newPerson('anna'), await newPerson('bert')]
  const { signed, refused } = await signMany(people, 24)
  expect(signed).toHaveLength(7)
  expect(await refused[0]?.json()).toMatchObject({ code: 'share_exceeded', facts: { share: 'group.perDay' } })
  expect((await sign(await newPerson('carl'), 1)).status).toBe(200)
})

test('a wallet that cannot pay is told so before anything is signed, and what was signed is still given', async () => {
  const person = await newPerson('poor', '0')
  const transaction = newTransaction()
  const refused = await sign(person, 0, transaction)
  expect(refused.status).toBe(422)
  expect(await refused.json()).toMatchObject({
    code: 'insufficient_funds',
    facts: { chainId: 31337, balance: '0', needed: String(BigInt(transaction.value) + 21_000n * 2_000_000_000n) },
  })
  expect(await signatures(person.address)).toBe(0)
  await fund(person.address, '1')
  const first = await sign(person, 0, transaction)
  expect(first.status).toBe(200)
  await chain().setBalance({ address: person.address, value: 0n })
  const again = await sign(person, 1, transaction)
  expect([again.status, await again.json()]).toEqual([200, await first.json()])
  expect((await sign(person, 1)).status).toBe(422)
})

const chain = () => createTestClient({ mode: 'anvil', chain: foundry, transport: http(components().rpcUrl) })

test('unsent transactions are limited at once, and one that is sent makes room', async () => {
  const person = await newPerson('sender')
  const { signed, refused, answers } = await signMany([person], 15)
  expect(signed).toHaveLength(3)
  expect(await refused[0]?.json()).toMatchObject({ code: 'share_exceeded', facts: { share: 'user.unsent' } })
  const wait = Number(refused[0]?.headers.get('retry-after'))
  expect(wait).toBeGreaterThan(500)
  expect(wait).toBeLessThanOrEqual(600)

  const next = newTransaction()
  expect((await sign(person, 2, next)).status).toBe(429)
  const sent = answers.find(({ status }) => status === 200) as Response
  const { signature } = (await sent.json()) as { signature: Hex }
  const serializedTransaction = serializeSigned(signed[0] as TxMetadata, signature)
  await chain().request({ method: 'eth_sendRawTransaction', params: [serializedTransaction] } as never)
  await expect.poll(async () => (await sign(person, 1, next)).status, { timeout: 60_000, interval: 500 }).toBe(200)
  expect((await sign(person, 0)).status).toBe(429)
  expect(await signatures(person.address)).toBe(4)
})

test('event streams are limited at once over all processes, and free their places', async () => {
  const person = await newPerson('watcher')
  const answer = await sign(person, 0)
  const { slug } = (await answer.json()) as { slug: string }
  const leave = new AbortController()
  const open = (index: number) =>
    person.browser.fetch(`${apis.urls[index % 3]}/proof/${slug}/events`, { signal: leave.signal })
  const streams = await Promise.all(Array.from({ length: 9 }, (_, index) => open(index)))
  expect(streams.filter(({ status }) => status === 200)).toHaveLength(4)
  const refused = streams.find(({ status }) => status === 429) as Response
  expect(refused.headers.get('ratelimit-policy')).toBe('"user.streams";q=4;w=30')
  expect(refused.headers.get('retry-after')).toBe('30')
  expect(await refused.json()).toMatchObject({ code: 'share_exceeded', facts: { share: 'user.streams' } })
  leave.abort()
  await expect.poll(() => service.database.query('SELECT id FROM stream_places'), { timeout: 10_000 }).toEqual([])
})
