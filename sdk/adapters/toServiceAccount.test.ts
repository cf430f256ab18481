import {
  createWalletClient,
  defineChain,
  hashMessage,
  hashTypedData,
  http,
  parseEther,
  recoverMessageAddress,
  recoverTransactionAddress,
  recoverTypedDataAddress,
} from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startInMemoryService, type InMemoryService } from '../testing/index.js'
import { fundedClient } from '../testing/testClient.js'
import { toServiceAccount, type Signed } from './toServiceAccount.js'

const to = '0x00000000000000000000000000000000000000aa'
let service: InMemoryService
beforeEach(async () => {
  service = await startInMemoryService()
})
afterEach(() => service.close())

async function walletClient() {
  const { client, wallet } = await fundedClient(service)
  const signed: Signed[] = []
  const account = toServiceAccount({ client, address: wallet.address, onSigned: (entry) => signed.push(entry) })
  const chain = defineChain({
    id: service.chainId,
    name: 'test',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [service.rpcUrl] } },
  })
  return { client, account, signed, viem: createWalletClient({ account, chain, transport: http() }) }
}

test('a viem wallet client sends with it, and the proof of each signature is told', async () => {
  const { client, signed, viem } = await walletClient()
  const hash = await viem.sendTransaction({ to, value: parseEther('0.5') })
  expect(service.balance(to)).toBe(parseEther('0.5'))
  expect((await client.api.getProof(signed[0]?.attestationSlug ?? '')).txHash).toBe(hash)
})

test('what it signs recovers to the wallet', async () => {
  const { account } = await walletClient()
  const serializedTransaction = await account.signTransaction({
    chainId: service.chainId,
    nonce: 3,
    to,
    gas: 21_000n,
    maxFeePerGas: 10n,
  })
  expect(await recoverTransactionAddress({ serializedTransaction: serializedTransaction as `0x02${string}` })).toBe(
    account.address,
  )
})

test('signs messages and typed data, which recover to the wallet, and tells what opens their receipts', async () => {
  const { account, signed } = await walletClient()
  const message = 'hello'
  const signature = await account.signMessage({ message })
  expect(await recoverMessageAddress({ message, signature })).toBe(account.address)
  const typedData = {
    domain: { name: 'Test', chainId: service.chainId },
    types: { Amount: [{ name: 'wei', type: 'uint256' }] },
    primaryType: 'Amount',
    message: { wei: 2n ** 255n },
  } as const
  const typed = await account.signTypedData(typedData)
  expect(await recoverTypedDataAddress({ ...typedData, signature: typed })).toBe(account.address)
  expect(signed.map(({ digest }) => digest)).toEqual([hashMessage(message), hashTypedData(typedData)])
  expect(signed.map(({ opening }) => opening?.signature)).toEqual([signature, typed])
})

test.each([
  ['another chain', { chainId: 1 }],
  ['no recipient', { to: null }],
  ['an access list', { accessList: [{ address: to, storageKeys: [] }] }],
  ['another type', { type: 'legacy' }],
  ['no nonce', { nonce: undefined }],
  ['a gas price', { gasPrice: 5n, maxFeePerGas: undefined }],
  ['delegations', { authorizationList: [] }],
  ['delegations and a type', { authorizationList: [], type: 'eip1559' }],
  ['blobs', { blobs: [] }],
  ['hashes of blobs', { blobVersionedHashes: ['0x01'] }],
  ['a price for blobs', { maxFeePerBlobGas: 1n }],
  ['sidecars', { sidecars: [] }],
] as const)('a transaction with %s is refused before the service is asked', async (_, change) => {
  const { account } = await walletClient()
  const transaction = { chainId: service.chainId, nonce: 0, to, gas: 21_000n, maxFeePerGas: 10n, ...change }
  await expect(account.signTransaction(transaction as never)).rejects.toMatchObject({ code: 'transaction_invalid' })
  expect(service.requests).not.toContain('POST /sign/digest')
})
