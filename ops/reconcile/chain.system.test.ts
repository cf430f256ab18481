import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { fromHex } from '@perigee/core'
import { deployForTests, freshPublisher, fund } from '../../tests/harness/index.js'
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

test('a second event for a proof is named, and that our key sent it without a record', async () => {
  const { slug, wallet, txHash, cid } = await rig.publishProof()
  await rig.snapshotChain()
  const again = await rig.publishByHand(rig.publisherKey, [wallet, txHash, cid])
  expect((await rig.reconcile()).mismatches).toMatchObject([
    { kind: 'unrecorded_publication', subject: again },
    { kind: 'duplicate_event', subject: slug, facts: { transactionHash: again } },
    { kind: 'publisher_nonce_unknown', facts: {} },
  ])
})

test('an event of a foreign publisher, and one for an unknown receipt, are named', async () => {
  const { wallet } = await rig.publishProof()
  await rig.snapshotChain()
  const foreign = await freshPublisher(rig.anvil.testChain)
  const unknown = `0x${'ab'.repeat(32)}` as Hex
  const hash = await rig.publishByHand(foreign, [wallet, unknown, 'bafkreiunknown'])
  const sender = privateKeyToAccount(foreign).address.toLowerCase()
  expect((await rig.reconcile()).mismatches).toMatchObject([
    { kind: 'foreign_publisher', subject: hash, facts: { sender } },
    { kind: 'unknown_receipt', subject: unknown },
  ])
})

test('after a change of contract the events of the former one count, and a foreign one there is named', async () => {
  const { wallet } = await rig.publishProof()
  const { checked } = await rig.reconcile()
  await rig.snapshotChain()
  const { contractAddress } = await deployForTests(rig.anvil.rpcUrl)
  const moved = { CONTRACT_ADDRESS: contractAddress, FORMER_CONTRACTS: `${rig.contract}@0` }
  expect(await rig.reconcile(moved)).toMatchObject({ code: 0, mismatches: [], checked: { events: checked['events'] } })
  const foreign = await freshPublisher(rig.anvil.testChain)
  const hash = await rig.publishByHand(foreign, [wallet, `0x${'ab'.repeat(32)}`, 'bafkreiunknown'])
  expect((await rig.reconcile(moved)).mismatches).toMatchObject([
    { kind: 'foreign_publisher', subject: hash },
    { kind: 'unknown_receipt' },
  ])
})

test('a nonce of the publishing key that Perigee never allocated is named', async () => {
  await rig.publishProof()
  await rig.snapshotChain()
  const { address } = privateKeyToAccount(rig.publisherKey)
  const nonce = await rig.anvil.client.getTransactionCount({ address })
  await rig.anvil.mined(rig.walletOf(rig.publisherKey).sendTransaction({ to: address, value: 1n }))
  expect((await rig.reconcile()).mismatches).toMatchObject([
    { kind: 'publisher_nonce_unknown', subject: address.toLowerCase(), facts: { nonce } },
  ])
})

test('a nonce gap of the publishing key is named', async () => {
  await rig.publishProof()
  const [last] = await rig.database.query<{ id: string }[]>(
    'SELECT id FROM publisher_slots ORDER BY nonce DESC LIMIT 1',
  )
  const move = (by: number) =>
    rig.database.query('UPDATE publisher_slots SET nonce = nonce + $2 WHERE id = $1', [last?.id, by])
  await move(2)
  rig.onRestore(() => move(-2))
  expect(kindsOf(await rig.reconcile())).toEqual([
    'publisher_nonce_gap',
    'publisher_nonce_unknown',
    'publisher_nonce_unmined',
  ])
})

test('a wallet’s transaction that Perigee never signed is named, and one that it signed is not', async () => {
  const key = generatePrivateKey()
  const account = privateKeyToAccount(key)
  await fund(account.address, '10', rig.anvil.rpcUrl)
  const { txHash } = await rig.publishProof({ privateKey: fromHex(key), transaction: onAnvil })
  await rig.snapshotChain()
  const serializedTransaction = await account.signTransaction(await signedTransaction(txHash))
  expect(await rig.anvil.mined(rig.anvil.client.sendRawTransaction({ serializedTransaction }))).toBe(txHash)
  expect(await rig.reconcile()).toMatchObject({ code: 0, mismatches: [], checked: { walletNonces: 1 } })

  const stolen = await rig.anvil.mined(rig.walletOf(key).sendTransaction({ to: account.address, value: 1n }))
  expect((await rig.reconcile()).mismatches).toMatchObject([
    {
      kind: 'transaction_without_receipt',
      subject: account.address.toLowerCase(),
      facts: { chainId: 31337, nonce: 1, txHash: stolen },
    },
  ])
})

test('a nonce that a wallet used for another transaction than the one signed is named', async () => {
  const key = generatePrivateKey()
  const { address } = privateKeyToAccount(key)
  await fund(address, '10', rig.anvil.rpcUrl)
  await rig.publishProof({ privateKey: fromHex(key), transaction: onAnvil })
  await rig.snapshotChain()
  const txHash = await rig.anvil.mined(rig.walletOf(key).sendTransaction({ to: address, value: 2n }))
  expect((await rig.reconcile()).mismatches).toMatchObject([
    { kind: 'transaction_without_receipt', facts: { nonce: 0, txHash } },
  ])
})

/** The transaction that was signed, in viem's terms. */
async function signedTransaction(txHash: Hex) {
  type Metadata = Record<'to' | 'value' | 'maxFeePerGas' | 'maxPriorityFeePerGas', string>
  const [row] = await rig.database.query<{ metadata: Metadata }[]>(
    'SELECT metadata FROM transactions t JOIN publications p ON p.slug = t.slug WHERE p.tx_hash = $1',
    [txHash],
  )
  const { to, value, maxFeePerGas, maxPriorityFeePerGas } = row?.metadata as Metadata
  return {
    type: 'eip1559' as const,
    chainId: onAnvil.chainId,
    nonce: onAnvil.nonce,
    gas: BigInt(onAnvil.gas),
    to: to.toLowerCase() as Hex,
    value: BigInt(value),
    maxFeePerGas: BigInt(maxFeePerGas),
    maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas),
  }
}
