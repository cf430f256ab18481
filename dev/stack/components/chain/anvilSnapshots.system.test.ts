import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startAnvil } from '../../../../tests/rigs/servers/startAnvil.js'
import { startForgingRpc } from '../../../../tests/rigs/servers/startForgingRpc.js'
import { exitStateFile, keepSnapshots, newestState } from './anvilSnapshots.js'

let anvil: Awaited<ReturnType<typeof startAnvil>>
let dir: string
const account = privateKeyToAccount(generatePrivateKey())

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'perigee-snapshots-'))
  anvil = await startAnvil()
  await anvil.client.setBalance({ address: account.address, value: 10n ** 18n })
  for (let nonce = 0; nonce < 3; nonce++) await anvil.mined(transfer(nonce))
})
afterAll(async () => {
  await anvil.close()
  await rm(dir, { recursive: true, force: true })
})

async function transfer(nonce: number) {
  const fees = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 1n }
  const call = { type: 'eip1559', chainId: 31_337, to: account.address, gas: 21_000n, ...fees } as const
  return anvil.client.sendRawTransaction({ serializedTransaction: await account.signTransaction({ ...call, nonce }) })
}

const textOf = (dump: unknown) => gunzipSync(Buffer.from(String(dump).slice(2), 'hex')).toString()

/** What anvil gives when a block comes while it copies: the accounts have it, the list of transactions has not. */
function torn(dump: unknown): string {
  const state = JSON.parse(textOf(dump)) as { transactions: unknown[] }
  return JSON.stringify({ ...state, transactions: state.transactions.slice(0, -1) })
}

test('a state that was taken within a block is not kept; the next whole one is', async () => {
  const dumps: string[] = []
  const rpc = await startForgingRpc(anvil.rpcUrl, {
    async anvil_dumpState(_params, truly) {
      const dump = String(await truly())
      dumps.push(dump)
      return dumps.length < 3 ? toHex(gzipSync(torn(dump))) : dump
    },
  })
  const stop = keepSnapshots(rpc.url, dir)
  const snapshot = join(dir, 'state-snapshot.json')
  const isKept = () => stat(snapshot).then(Boolean, () => false)
  try {
    await expect.poll(isKept, { timeout: 20_000 }).toBe(true)
    expect(dumps).toHaveLength(3)
    expect(await readFile(snapshot, 'utf8')).toBe(textOf(dumps.at(-1)))
  } finally {
    stop()
    await rpc.close()
  }
})

test.each([
  ['within a block', (dump: unknown) => torn(dump)],
  ['and not to its end', (dump: unknown) => textOf(dump).slice(0, -10)],
])('a newer state that was written %s is passed over when anvil starts again', async (_how, spoil) => {
  await writeFile(exitStateFile(dir), spoil(await anvil.client.dumpState()))
  const snapshot = await readFile(join(dir, 'state-snapshot.json'), 'utf8')
  expect(await readFile((await newestState(dir)) ?? '', 'utf8')).toBe(snapshot)
})

test('after a reorg, and with transactions sent again, a state is whole', async () => {
  await anvil.reorg(2)
  for (const nonce of [1, 2]) {
    await writeFile(exitStateFile(dir), textOf(await anvil.client.dumpState()))
    const [newest, state] = [await newestState(dir), await readFile(exitStateFile(dir), 'utf8')]
    expect(await readFile(newest ?? '', 'utf8')).toBe(state)
    await anvil.mined(transfer(nonce))
  }
})
