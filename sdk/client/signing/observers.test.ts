import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createEip1193Provider } from '../../adapters/createEip1193Provider.js'
import { toServiceAccount } from '../../adapters/toServiceAccount.js'
import { startInMemoryService, type InMemoryService } from '../../testing/index.js'
import { fundedClient } from '../../testing/testClient.js'
import type { Hex } from '../../types.js'
import type { ServiceClient } from '../ServiceClient.js'

// An application's own callback throws, for example because its storage is full. What was signed stays signed.
const to = '0x00000000000000000000000000000000000000aa'
const broken = new Error('storage is full')
const breaks = () => {
  throw broken
}
let service: InMemoryService
let client: ServiceClient
let address: Hex
const reported = vi.fn()
beforeEach(async () => {
  vi.stubGlobal('reportError', reported.mockReset())
  service = await startInMemoryService()
  const funded = await fundedClient(service)
  ;[client, address] = [funded.client, funded.wallet.address]
})
afterEach(async () => {
  vi.unstubAllGlobals()
  await service.close()
})

test('onProgress: the transaction is sent and its hash returned', async () => {
  const { txHash } = await client.signAndSend({ to, value: 5n }, { onProgress: breaks })
  expect(await client.publicClient.getTransaction({ hash: txHash })).toMatchObject({ value: 5n })
  expect(reported.mock.calls).toEqual(Array.from({ length: 4 }, () => [broken]))
})

test('onProgress: the signature of a message is returned', async () => {
  expect((await client.signMessage('hello', { onProgress: breaks })).signature).toMatch(/^0x/)
  expect(reported).toHaveBeenCalledWith(broken)
})

test('onSent and onSigned of the EIP-1193 provider', async () => {
  const provider = createEip1193Provider({ client, onSent: breaks, onSigned: breaks })
  expect(await provider.request({ method: 'eth_sendTransaction', params: [{ to, value: '0x5' }] })).toMatch(/^0x/)
  expect(await provider.request({ method: 'personal_sign', params: ['hello', address] })).toMatch(/^0x/)
  expect(reported.mock.calls).toEqual([[broken], [broken]])
})

test('a listener of the EIP-1193 provider: the others are told, and the request succeeds', async () => {
  const provider = createEip1193Provider({ client })
  const told: unknown[] = []
  provider.on('accountsChanged', breaks)
  provider.on('accountsChanged', (accounts: unknown) => told.push(accounts))
  expect(await provider.request({ method: 'eth_requestAccounts' })).toEqual([address])
  expect(told).toEqual([[address]])
})

test('onSigned of the viem account', async () => {
  const account = toServiceAccount({ client, address, onSigned: breaks })
  const { chainId } = service
  expect(await account.signTransaction({ chainId, nonce: 0, to, gas: 21_000n, maxFeePerGas: 10n })).toMatch(/^0x02/)
  expect(await account.signMessage({ message: 'hello' })).toMatch(/^0x/)
  expect(reported.mock.calls).toEqual([[broken], [broken]])
})

test('an async callback that rejects is reported in the same way, and no rejection is left over', async () => {
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  const onSent = async () => {
    await Promise.resolve()
    throw broken
  }
  const provider = createEip1193Provider({ client, onSent })
  expect(await provider.request({ method: 'eth_sendTransaction', params: [{ to, value: '0x5' }] })).toMatch(/^0x/)
  await new Promise((resolve) => setImmediate(resolve)) // Node names unhandled rejections after the microtasks
  process.off('unhandledRejection', unhandled)
  expect(unhandled).not.toHaveBeenCalled()
  expect(reported.mock.calls).toEqual([[broken]])
})

test('where nothing collects errors, as in Node, the console shows them', async () => {
  vi.stubGlobal('reportError', undefined)
  const shown = vi.spyOn(console, 'error').mockReturnValue()
  await client.signAndSend({ to }, { onProgress: ({ step }) => step === 'sent' && breaks() })
  expect(shown).toHaveBeenCalledWith(broken)
  shown.mockRestore()
})
