import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { transactionDigest, type ProofPayload, type TransactionProof } from '@perigee/core'
import type { ProofProgress } from '@perigee/core/workflow'
import { exampleTransaction } from '../testing/exampleTransaction.js'
import { startTestApi, type TestApi } from '../../tests/rigs/api/startTestApi.js'

let api: TestApi
let slug: string
let nonce = 0
const streams = { pollMs: 20, heartbeatMs: 30, maxMs: 60_000, maxStreams: 3 }
beforeAll(async () => {
  api = await startTestApi({ deps: { streams } })
})
afterAll(() => api.close())

beforeEach(async () => {
  const browser = await api.signIn('prover@example.test')
  await api.post(browser, '/wallet/provision')
  const txMetadata = { ...exampleTransaction, nonce: nonce++ }
  const answer = await api.post(browser, '/sign/digest', { digest: transactionDigest(txMetadata), txMetadata })
  slug = ((await answer.json()) as { slug: string }).slug
})

function move(change: Partial<TransactionProof>): void {
  api.signer.proofs.set(slug, { ...(api.signer.proofs.get(slug) as TransactionProof), ...change })
}
const get = (headers: Record<string, string> = {}) => fetch(`${api.url}/proof/${slug}`, { headers })

test('a proof carries an ETag that changes with it, and caching that fits its state', async () => {
  const pending = await get()
  const etag = pending.headers.get('etag') ?? ''
  expect(pending.headers.get('cache-control')).toBe('no-cache')
  const same = await get({ 'if-none-match': etag, 'cache-control': 'max-age=0' })
  expect([same.status, await same.text()]).toEqual([304, ''])

  move({ status: 'onchain_failed' })
  const failed = await get({ 'if-none-match': etag, 'cache-control': 'max-age=0' })
  expect([failed.status, failed.headers.get('cache-control')]).toEqual([200, 'public, max-age=10'])

  move({ status: 'complete' })
  expect((await get()).headers.get('cache-control')).toBe('public, max-age=60')
})

const place = { onchainTxHash: `0x${'ab'.repeat(32)}`, onchainBlockNumber: 7 } as const
const nowhere = { onchainTxHash: null, onchainBlockNumber: null } as const
/** What GET says while the workflow answers with `progress`; `meanwhile` happens between the record and that answer. */
async function getWhile(progress: Partial<ProofProgress>, meanwhile: Partial<TransactionProof> = {}) {
  const asked = vi.spyOn(api.deps.temporal, 'queryProof').mockImplementation(() => {
    move(meanwhile)
    const since = new Date().toISOString()
    return Promise.resolve({
      slug,
      since,
      status: 'pending_pin',
      ipfsCid: null,
      ...nowhere,
      failure: null,
      ...progress,
    })
  })
  try {
    let answer = await get()
    while (asked.mock.calls.length === 0) answer = await get() // answers are shared for a moment
    return { ...((await answer.json()) as ProofPayload), caching: answer.headers.get('cache-control') }
  } finally {
    asked.mockRestore()
  }
}

test('a proof that a reorg reopened is pending, although its workflow ended with `complete`', async () => {
  const reopened = { status: 'pending_onchain', ipfsCid: 'bafk', ...nowhere } as const
  move({ ...reopened, ...place, status: 'complete' })
  expect(await (await get()).json()).toMatchObject({ status: 'complete', ...place })
  move(reopened)
  const ended = { status: 'complete', ipfsCid: 'bafk', ...place } as const
  expect(await getWhile(ended)).toMatchObject({ ...reopened, caching: 'no-cache' })
  // The workflow that publishes it again starts from the beginning.
  expect(await getWhile({ status: 'pending_pin' })).toMatchObject(reopened)
})

test('a workflow that has moved on since the record was read is answered with the record of that state', async () => {
  const pinned = { status: 'pending_onchain', ipfsCid: 'bafk-1' } as const
  expect(await getWhile(pinned, pinned)).toMatchObject(pinned)
  const pinnedAgain = { ...pinned, ipfsCid: 'bafk-2' }
  expect(await getWhile(pinnedAgain, pinnedAgain)).toMatchObject(pinnedAgain)
  const complete = { ...pinnedAgain, ...place, status: 'complete' } as const
  expect(await getWhile(complete, complete)).toMatchObject({ ...complete, caching: 'public, max-age=60' })
})

test('needs no session and never sets a cookie', async () => {
  expect((await get()).headers.getSetCookie()).toEqual([])
})

/** Reads a stream to its end. */
async function events(headers: Record<string, string> = {}, onEvent: (text: string) => void = () => {}) {
  const response = await fetch(`${api.url}/proof/${slug}/events`, { headers })
  let text = ''
  for await (const chunk of (response.body ?? []) as unknown as AsyncIterable<Uint8Array>) {
    text += new TextDecoder().decode(chunk)
    onEvent(text)
  }
  const found = [...text.matchAll(/id: (.+)\nevent: proof\ndata: (.+)\n\n/g)]
  return {
    response,
    text,
    ids: found.map(([, id]) => id as string),
    states: found.map(([, , data]) => (JSON.parse(data as string) as ProofPayload).status),
  }
}

/** Moves the proof on as its events arrive, through every state. */
function drive(text: string): void {
  if (text.includes('"status":"pending_onchain"')) move({ status: 'complete', onchainBlockNumber: 7 })
  else if (text.includes('"status":"pending_pin"')) move({ status: 'pending_onchain', ipfsCid: 'bafk' })
}

test('events tell every state once and end at the terminal one', async () => {
  const { response, states, ids } = await events({}, drive)
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(states).toEqual(['pending_pin', 'pending_onchain', 'complete'])
  expect(`"${ids.at(-1)}"`).toBe((await get()).headers.get('etag'))
})

test('a client that reconnects does not get a state it has seen', async () => {
  const first = `"${(await get()).headers.get('etag')}"`.replaceAll('"', '')
  const timer = setTimeout(() => move({ status: 'pin_failed' }), 100)
  const { states } = await events({ 'last-event-id': first })
  clearTimeout(timer)
  expect(states).toEqual(['pin_failed'])
  const { ids } = await events()
  const done = await events({ 'last-event-id': ids.at(-1) ?? '' })
  expect([done.response.status, done.text]).toEqual([204, ''])
})

test('a stream that waits sends heartbeats', async () => {
  const { text, states } = await events({}, (soFar) => {
    if (soFar.split(': still here').length > 3) move({ status: 'complete' })
  })
  expect(text).toContain(': still here\n\n')
  expect(states).toEqual(['pending_pin', 'complete'])
})

test('an unknown slug is a problem here too, and HEAD streams nothing', async () => {
  const lost = await fetch(`${api.url}/proof/AAAAAAAAAAAAAAAAAAAAAA/events`)
  expect([lost.status, lost.headers.get('content-type')]).toEqual([404, 'application/problem+json; charset=utf-8'])
  const head = await fetch(`${api.url}/proof/${slug}/events`, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
})

test('holds no more streams than it may, and frees the places of clients that left', async () => {
  const leave = new AbortController()
  const open = () => fetch(`${api.url}/proof/${slug}/events`, { signal: leave.signal })
  for (const response of await Promise.all([open(), open(), open()])) expect(response.status).toBe(200)
  expect((await open()).status).toBe(503)
  leave.abort()
  await expect.poll(async () => (await fetch(`${api.url}/proof/${slug}/events`, { method: 'HEAD' })).status).toBe(200)
})

test('a stream that fails before it starts is a problem, and frees its place', async () => {
  const asked = vi.spyOn(api.deps.temporal, 'queryProof').mockRejectedValue(new Error('lost'))
  try {
    for (let attempt = 0; attempt <= streams.maxStreams; attempt++) {
      const { status, headers } = await fetch(`${api.url}/proof/${slug}/events`)
      expect([status, headers.get('content-type')]).toEqual([500, 'application/problem+json; charset=utf-8'])
    }
  } finally {
    asked.mockRestore()
  }
})

test('many who ask for one proof at once cost one question to its workflow', async () => {
  const asked = vi.spyOn(api.deps.temporal, 'queryProof')
  try {
    const answers = await Promise.all(Array.from({ length: 40 }, () => get()))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(asked.mock.calls.length).toBeGreaterThan(0)
    expect(asked.mock.calls.length).toBeLessThan(10) // a busy machine may take longer than an answer is shared
  } finally {
    asked.mockRestore()
  }
})
