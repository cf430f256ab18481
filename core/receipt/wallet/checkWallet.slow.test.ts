import { expect, test } from 'vitest'
import { mintBirth } from '../testing/mintBirth.js'
import { blocksOf, mintReceipt, type Minted } from '../testing/mintReceipt.js'
import { createSampleOwner } from '../testing/sampleOwner.js'
import { createSimulatedWorld, sampleEntropy } from '../testing/simulatedWorld.js'
import { checkWallet } from './checkWallet.js'
import {
  createSampleWallet,
  eventAt,
  sourcesOf,
  valueOf,
  withMessage,
  type SampleWallet,
} from '../gather/testing/sampleWallet.js'
import type { CheckWalletOptions, WalletRow } from './types.js'

const world = await createSimulatedWorld()
const good = createSampleWallet(world, [0, 1, 2])
const { anchors } = good.receipts[0]!
const now = world.signedAt + 10 * 86_400
const day = 86_400

async function check(given: Partial<SampleWallet> = {}, options: Partial<CheckWalletOptions> = {}) {
  const rows: WalletRow[] = []
  const sources = sourcesOf({ ...good, ...given })
  const onRow = (row: WalletRow) => void rows.push(row)
  const verdict = await checkWallet(good.wallet, sources, { anchors, now, onRow, ...options })
  return { verdict, rows, fetched: sources.fetched, kinds: verdict.findings.map(({ kind }) => kind) }
}

test('a wallet with a receipt for every nonce is verified, and every receipt in full', async () => {
  const { verdict, rows, fetched } = await check()
  expect(verdict).toMatchObject({
    verified: true,
    simulated: true,
    births: 1,
    receipts: 3,
    verifiedReceipts: 3,
    transactions: 3,
    nonces: { kind: 'covered', missing: 0 },
    findings: [],
  })
  expect(rows.map(({ kind, nonce, verified, included }) => [kind, nonce, verified, included])).toEqual([
    ['birth', null, true, null],
    ...[0, 1, 2].map((nonce) => ['transaction', nonce, true, true]),
  ])
  // The birth as a receipt of its own and once for all signatures, collateral and the list of builds once.
  expect(fetched).toHaveLength(1 + 3 + 1 + 1 + 1)
})

test('receipts count whichever of the expected contracts published them, in the order of the chain', async () => {
  const former = { chainId: 31337, contract: `0x${'0f'.repeat(20)}` } as const
  const minted = mintReceipt(world, {
    transaction: { chainId: 31337, nonce: 3 },
    entropy: sampleEntropy('3', world.signedAt - 5, valueOf(3)),
    birth: good.birth,
    publication: former,
  })
  const wallet = {
    events: [...good.events, eventAt(minted, 13)],
    txHashes: [...good.txHashes, minted.receipt.transaction.txHash],
    blocks: { ...good.blocks, ...blocksOf(minted) },
  }
  const contracts = [...anchors.contracts, { chainId: former.chainId, address: former.contract }]
  const { verdict, rows } = await check(wallet, { anchors: { ...anchors, contracts } })
  expect(verdict).toMatchObject({ verified: true, receipts: 4, nonces: { kind: 'covered' }, findings: [] })
  expect(verdict.contracts).toEqual(contracts.map(({ address }) => address))
  expect(rows.map(({ nonce }) => nonce)).toEqual([null, 0, 1, 3, 2])
  expect((await check(wallet)).kinds).toEqual(['nonce_without_receipt'])
})

test('a receipt of other owners than those of the birth is not verified', async () => {
  const birth = mintBirth(world, { owner: createSampleOwner('07') })
  const [mine, other] = ['07', '08'].map((byte, nonce) =>
    mintReceipt(world, {
      transaction: { chainId: 31337, nonce },
      entropy: sampleEntropy(String(nonce), world.signedAt - 5, valueOf(nonce)),
      birth,
      owner: createSampleOwner(byte),
    }),
  ) as [Minted, Minted]
  const { rows, kinds } = await check({
    events: [...birth.evidence.events, eventAt(mine, 12), eventAt(other, 13)],
    txHashes: [mine, other].map(({ receipt }) => receipt.transaction.txHash),
    blocks: { ...blocksOf(mine), ...blocksOf(other) },
  })
  expect(rows.map(({ verified }) => verified)).toEqual([true, true, false])
  expect(rows.at(-1)).toMatchObject({ failure: expect.stringContaining('other owners') })
  expect(kinds).toContain('receipt_invalid')
})

test('a message is a receipt of its own: verified in full, and counted for no nonce', async () => {
  const { minted, ...wallet } = withMessage(world, good)
  const { verdict, rows } = await check(wallet)
  expect(verdict).toMatchObject({ verified: true, receipts: 4, verifiedReceipts: 4, transactions: 3, findings: [] })
  expect(verdict.nonces.kind).toBe('covered')
  const { commitment: txHash } = minted.receipt.message
  expect(rows.at(-1)).toMatchObject({ kind: 'message', txHash, verified: true, nonce: null, included: null })
  const short = { ...wallet, events: wallet.events.filter((event) => event.txHash !== good.txHashes[2]) }
  expect((await check(short)).kinds).toEqual(['nonce_without_receipt']) // a message does not stand in for it
})

test('a node that refuses long ranges gives the same verdict', async () => {
  const { rpc, fetchCid } = sourcesOf(good, { maxRange: 70 })
  const far = async (method: string, params: unknown[]) =>
    method === 'eth_blockNumber' ? '0x1f4' : await rpc(method, params)
  expect((await checkWallet(good.wallet, { rpc: far, fetchCid }, { anchors, now })).verified).toBe(true)
})

test('a nonce without a receipt is a fault, also when its receipt does not verify', async () => {
  const events = good.events.filter(({ txHash }) => txHash !== good.txHashes[1])
  const { verdict, kinds } = await check({ events })
  expect(verdict).toMatchObject({ verified: false, nonces: { kind: 'missing', missing: 1, ranges: '1' } })
  expect(kinds).toEqual(['nonce_without_receipt'])
  const cid = good.receipts[1]!.evidence.cid
  const gone = await check({ blocks: { ...good.blocks, [cid]: undefined as unknown as Uint8Array } })
  expect(gone.verdict).toMatchObject({ verified: false, nonces: { kind: 'unknown', ranges: '1' } })
  expect(gone.kinds).toEqual(['receipt_invalid', 'nonce_without_receipt'])
})

test('a receipt that fails a step is a fault, and the others still count', async () => {
  const strict = { ...anchors, entropy: { ...anchors.entropy, freshnessSeconds: 1 } }
  const { verdict, kinds, rows } = await check({}, { anchors: strict })
  expect(verdict).toMatchObject({ verified: false, verifiedReceipts: 0, births: 1 })
  expect(kinds.filter((kind) => kind === 'receipt_invalid')).toHaveLength(4)
  expect(rows[1]!.failure).toMatch(/^entropy_witness: .*\([a-z_]+\)$/)
})

test('a receipt without a transaction is a note, and covers no nonce', async () => {
  const { verdict, kinds, rows } = await check({ txHashes: good.txHashes.slice(0, 2) })
  expect([verdict.verified, kinds]).toEqual([true, ['receipt_without_transaction']])
  expect(rows[3]).toMatchObject({ verified: true, included: false })
  const replaced = await check({ txHashes: [...good.txHashes.slice(0, 2), `0x${'01'.repeat(32)}`] })
  expect(replaced.kinds).toEqual(['receipt_without_transaction', 'nonce_without_receipt'])
  expect(replaced.verdict.verified).toBe(false)
})

test('an event more than a day after the signature is late', async () => {
  const [first, ...rest] = good.receipts
  const at = (seconds: number) => [
    ...good.birth.evidence.events,
    eventAt(first!, 12, seconds),
    ...rest.map((one, index) => eventAt(one, 13 + index)),
  ]
  expect((await check({ events: at(day) })).kinds).toEqual([])
  const { verdict, kinds } = await check({ events: at(day + 1) })
  expect([verdict.verified, kinds]).toEqual([true, ['late']])
})

test('a wallet has exactly one birth', async () => {
  const none = await check({ events: good.events.slice(1) })
  expect(none.verdict).toMatchObject({ verified: false, births: 0, verifiedReceipts: 0 })
  expect(none.kinds).toContain('birth_missing')
  const second = mintBirth(world, { createdAt: world.signedAt - 7200 })
  const events = [...good.events, ...second.evidence.events.map((event) => ({ ...event, blockNumber: 20 }))]
  const blocks = { ...good.blocks, [second.evidence.cid]: second.evidence.receipt }
  const two = await check({ events, blocks })
  expect(two.verdict).toMatchObject({ verified: false, births: 2, verifiedReceipts: 0 })
  expect(two.kinds).toContain('birth_twice')
  expect(two.verdict.findings[0]).toMatchObject({ kind: 'receipt_invalid' })
})

test('receipts that contradict one another are found', async () => {
  const twin = good.mint(0, valueOf(77))
  const reused = good.mint(3, valueOf(2))
  const replacement = good.mint(2, valueOf(78), { value: '1' })
  const withReceipt = (one: typeof twin, sent: boolean) =>
    check({
      events: [...good.events, eventAt(one, 20)],
      blocks: { ...good.blocks, ...blocksOf(one) },
      txHashes: sent ? [...good.txHashes, one.receipt.transaction.txHash] : good.txHashes,
    })
  const twins = await withReceipt(twin, false)
  expect(twins.kinds).toEqual(['receipt_invalid', 'receipt_invalid', 'two_receipts', 'nonce_without_receipt'])
  const samples = await withReceipt(reused, true)
  expect([samples.verdict.verified, samples.kinds]).toEqual([false, ['sample_twice']])
  const replaced = await withReceipt(replacement, false)
  expect(replaced.kinds.sort()).toEqual(['nonce_twice', 'receipt_without_transaction'])
  expect(replaced.verdict.verified).toBe(true)
  // A node that says both are included is wrong about one.
  expect((await withReceipt(replacement, true)).verdict.verified).toBe(false)
})

test('says which chains were not asked, and which blocks were not searched', async () => {
  const other = good.mint(9, valueOf(9), { chainId: 11155111 })
  const events = [...good.events, eventAt(other, 20)]
  const elsewhere = await check({ events, blocks: { ...good.blocks, ...blocksOf(other) } })
  expect([elsewhere.verdict.verified, elsewhere.kinds]).toEqual([true, ['not_asked']])
  expect(elsewhere.rows.at(-1)).toMatchObject({ verified: true, included: null, chainId: 11155111 })
  const late = await check({}, { fromBlock: 13 })
  expect(late.verdict).toMatchObject({ verified: false, fromBlock: 13, nonces: { kind: 'unknown' } })
  expect(late.kinds).toContain('not_searched')
})

test('finished receipts are not verified again, unless their events or births have moved', async () => {
  const { rows } = await check()
  const finished = new Map(rows.map((row) => [row.key, row]))
  const again = await check({}, { finished })
  expect(again.verdict.verified).toBe(true)
  expect(again.fetched).toHaveLength(1) // the list of builds
  const moved = good.events.map((event) => ({ ...event, transactionHash: `0x${'0f'.repeat(32)}` as const }))
  expect((await check({ events: moved }, { finished })).fetched.length).toBeGreaterThan(4)
})

test('a wallet without anything has no birth', async () => {
  const { verdict, kinds } = await check({ events: [], txHashes: [], releases: [] })
  expect([verdict.verified, verdict.simulated, kinds]).toEqual([false, null, ['birth_missing']])
})

test.each<[string, Record<string, unknown>]>([
  ['a number of transactions that is no number', { eth_getTransactionCount: {} }],
  ['more transactions than there can be', { eth_getTransactionCount: '0xffffffffffff' }],
  ['no block number', { eth_blockNumber: 'latest' }],
  ['logs that are no list', { eth_getLogs: 'none' }],
])('refuses a node that sends %s', async (_, answers) => {
  const { rpc, fetchCid } = sourcesOf(good)
  const liar = async (method: string, params: unknown[]) => answers[method] ?? (await rpc(method, params))
  const asked = checkWallet(good.wallet, { rpc: liar, fetchCid }, { anchors, now })
  await expect(asked).rejects.toMatchObject({ code: 'chain_unavailable' })
})

test('a node that answers with another transaction or block fails the receipt, not the run', async () => {
  for (const answers of [{ eth_getTransactionByHash: { hash: '0x' } }, { eth_getBlockByNumber: null }]) {
    const { rpc, fetchCid } = sourcesOf(good)
    const liar = async (method: string, params: unknown[]) =>
      method in answers ? answers[method as keyof typeof answers] : await rpc(method, params)
    const verdict = await checkWallet(good.wallet, { rpc: liar, fetchCid }, { anchors, now })
    expect(verdict).toMatchObject({ verified: false, verifiedReceipts: 0 })
  }
})
