import { createWalletClient, http, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { fund } from '../../tests/harness/index.js'
import { startAnvil } from '../../tests/rigs/servers/startAnvil.js'
import { createTransactionLookup } from './createTransactionLookup.js'

const dead = 'http://127.0.0.1:1/secret-key'
const log = { warn: vi.fn() }
let anvil: Awaited<ReturnType<typeof startAnvil>>
beforeAll(async () => {
  anvil = await startAnvil()
})
afterAll(() => anvil.close())

test('a transaction is unseen, then seen in the mempool, then seen in a block', async () => {
  const lookup = createTransactionLookup(new Map([[foundry.id, [anvil.rpcUrl]]]), log)
  const account = privateKeyToAccount(generatePrivateKey())
  await fund(account.address, '1', anvil.rpcUrl)
  const wallet = createWalletClient({ account, chain: foundry, transport: http(anvil.rpcUrl) })
  const request = await wallet.prepareTransactionRequest({ to: account.address, value: parseEther('0.1') })
  const serializedTransaction = await wallet.signTransaction(request)
  const unsent = `0x${'ab'.repeat(32)}` as const

  await anvil.client.setAutomine(false)
  const hash = await wallet.sendRawTransaction({ serializedTransaction })
  expect(await anvil.client.getTransaction({ hash })).toMatchObject({ blockNumber: null })
  expect(await lookup.hasSeen(foundry.id, unsent)).toBe(false)
  expect(await lookup.hasSeen(foundry.id, hash)).toBe(true)
  await anvil.client.mine({ blocks: 1 })
  expect(await anvil.client.getTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
  expect(await lookup.hasSeen(foundry.id, hash)).toBe(true)

  const besideDead = createTransactionLookup(new Map([[foundry.id, [dead, anvil.rpcUrl]]]), log)
  expect(await besideDead.hasSeen(foundry.id, hash)).toBe(true)
})

test('an RPC that fails has seen nothing, and is logged once, without its path', async () => {
  log.warn.mockClear()
  const lookup = createTransactionLookup(new Map([[7, [dead]]]), log)
  for (let turn = 0; turn < 3; turn++) expect(await lookup.hasSeen(7, `0x${'cd'.repeat(32)}`)).toBe(false)
  expect(log.warn).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ host: '127.0.0.1:1' }), expect.anything())
  expect(JSON.stringify(log.warn.mock.calls)).not.toContain('secret')
})

test('a chain without an RPC is not known', () => {
  const lookup = createTransactionLookup(new Map([[7, [dead]]]), log)
  expect([lookup.isKnown(7), lookup.isKnown(8)]).toEqual([true, false])
})
