import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { cidOf } from '@perigee/core'
import { components } from '../../tests/harness/index.js'
import {
  kindsOf,
  onAnvil,
  startReconciliation,
  type Reconciliation,
} from '../../tests/rigs/publishing/startReconciliation.js'

let rig: Reconciliation
beforeAll(async () => {
  rig = await startReconciliation()
})
afterAll(() => rig.close())
afterEach(() => rig.restore())

test('a system in which everything agrees has no mismatch, and exit code 0', async () => {
  for (let i = 0; i < 2; i++) await rig.publishProof()
  await rig.publishProof({ message: true })
  const result = await rig.reconcile()
  expect(result).toMatchObject({ code: 0, mismatches: [], unchecked: [] })
  expect(result.checked).toMatchObject({ proofs: 6, places: 3, events: 3, publishers: 1, nonces: 3, wallets: 3 })
})

test('a wrong CID in a record is named', async () => {
  const { slug } = await rig.publishProof()
  await rig.change(slug, 'cid', cidOf(new TextEncoder().encode('something else')))
  const result = await rig.reconcile()
  expect(result.code).toBe(1)
  expect(kindsOf(result)).toEqual(expect.arrayContaining(['wrong_cid', 'missing_pin', 'wrong_cid_in_event']))
  expect(result.mismatches.find(({ kind }) => kind === 'wrong_cid')?.subject).toBe(slug)
})

test('a receipt about another signature is named', async () => {
  const { slug } = await rig.publishProof()
  await rig.change(slug, 'receipt', '{"transaction":{}}')
  expect(kindsOf(await rig.reconcile())).toEqual(['receipt_differs', 'wrong_cid'])
})

test('a message’s receipt about another request than the record is named', async () => {
  const { slug, digest } = await rig.publishProof({ message: true })
  const set = (hash: string) =>
    rig.database.query('UPDATE messages SET request_hash = $2 WHERE slug = $1', [slug, hash])
  rig.onRestore(() => set(digest))
  await set(`0x${'ab'.repeat(32)}`)
  expect((await rig.reconcile()).mismatches).toMatchObject([{ kind: 'receipt_differs', subject: slug }])
})

test('a missing pin is named with its node', async () => {
  const { slug, cid } = await rig.publishProof()
  const kubo = (path: string) => fetch(`${components().ipfsApiUrl}/api/v0/${path}`, { method: 'POST' })
  await (await kubo(`pin/rm?arg=${cid}`)).text()
  rig.onRestore(async () => (await kubo(`pin/add?arg=${cid}`)).text())
  const { mismatches } = await rig.reconcile()
  const node = new URL(components().ipfsApiUrl).host
  expect(mismatches).toMatchObject([
    { kind: 'missing_pin', subject: slug, facts: { cid, node } },
    { kind: 'too_few_pins', subject: slug },
  ])
})

test('a complete proof whose transaction is not on the chain is named, and where its event really is', async () => {
  const { slug, onchainTxHash } = await rig.publishProof()
  await rig.change(slug, 'onchain_tx_hash', `0x${'ee'.repeat(32)}`)
  expect((await rig.reconcile()).mismatches).toMatchObject([
    { kind: 'missing_event', subject: slug },
    { kind: 'event_elsewhere', subject: slug, facts: { transactionHash: onchainTxHash } },
  ])
})

test('a proof that a reorg dropped is named, with its free nonce, until it is published again', async () => {
  const { slug } = await rig.publishProof()
  await rig.rpc('anvil_reorg', [1, []])
  expect(kindsOf(await rig.reconcile())).toEqual(['missing_event', 'publisher_nonce_unmined'])
  const activities = rig.createActivities()
  expect(await rig.activity.run(activities.reopenReorged, { seconds: 3600 })).toEqual([slug])
  await rig.activity.run(activities.publishOnchain, { slug })
  expect(await rig.reconcile()).toMatchObject({ code: 0, mismatches: [] })
})

test('a wrong block number is named', async () => {
  const { slug, block } = await rig.publishProof()
  await rig.change(slug, 'onchain_block_number', block + 1)
  expect((await rig.reconcile()).mismatches).toMatchObject([
    { kind: 'wrong_block_number', subject: slug, facts: { recorded: block + 1, found: block } },
  ])
})

test('a failed proof whose event is on the chain is named', async () => {
  const { slug } = await rig.publishProof()
  await rig.change(slug, 'status', 'onchain_failed')
  await rig.change(slug, 'onchain_tx_hash', null)
  expect((await rig.reconcile()).mismatches).toMatchObject([{ kind: 'failed_but_published', subject: slug }])
})

test('a wallet without a birth is named', async () => {
  const { wallet, birthSlug } = await rig.seed({ transaction: onAnvil })
  for (const table of ['attestations', 'publications']) {
    const [{ row }] = await rig.database.query<[{ row: object }]>(
      `SELECT to_jsonb(t) AS row FROM ${table} t WHERE slug = $1`,
      [birthSlug],
    )
    const again = `INSERT INTO ${table} SELECT * FROM jsonb_populate_record(NULL::${table}, $1)`
    rig.onRestore(() => rig.database.query(again, [JSON.stringify(row)])) // last out, first in
    await rig.database.query(`DELETE FROM ${table} WHERE slug = $1`, [birthSlug])
  }
  expect((await rig.reconcile()).mismatches).toMatchObject([{ kind: 'wallet_without_birth', subject: wallet }])
})

test('no signature can be without a publication: the database refuses it', async () => {
  const { slug } = await rig.seed({ transaction: onAnvil })
  await expect(rig.database.query('DELETE FROM publications WHERE slug = $1', [slug])).rejects.toThrow('foreign key')
})

test('what cannot be checked is neither right nor wrong: exit code 3', async () => {
  const away = await rig.reconcile({ IPFS_API_URLS: 'http://127.0.0.1:9' })
  expect(away).toMatchObject({ code: 3, mismatches: [], unchecked: [{ what: 'IPFS node 127.0.0.1:9' }] })
  const noChain = await rig.reconcile({ CHAIN_RPC_URLS: 'http://127.0.0.1:9' }, '--only', 'events')
  expect(noChain).toMatchObject({ code: 3, unchecked: [{ what: 'events' }] })
  await rig.seed() // signs for another chain
  expect(await rig.reconcile({}, '--only', 'wallets')).toMatchObject({
    code: 3,
    unchecked: [{ what: 'wallets on chain 11155111' }],
  })
})

test('a proof whose block came more than a week after its collateral is named', async () => {
  await rig.rpc('evm_increaseTime', [8 * 86_400]) // last in this file: the chain's clock does not go back
  const { slug } = await rig.publishProof()
  expect((await rig.reconcile()).mismatches).toMatchObject([{ kind: 'outdated_collateral', subject: slug }])
})
