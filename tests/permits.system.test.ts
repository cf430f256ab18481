import { verifyTypedData } from 'ethers'
import {
  createWalletClient,
  http,
  parseSignature,
  publicActions,
  recoverTypedDataAddress,
  type Abi,
  type Hex,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TypedData } from '@perigee/core/message'
import { createSoftPasskey } from '../core/authorisation/testing/createSoftPasskey.js'
import { forViem } from '../core/message/testing/typedData.js'
import { createEnclave } from '../enclave/testing/createEnclave.js'
import { createTestWorld, type TestWorld } from '../enclave/testing/createTestWorld.js'
import { createKeyRequest, signMessageRequest, walletOf, type TestWallet } from '../enclave/testing/requests.js'
import { components, fund } from './harness/index.js'
import { compileToken, permit2Abi, permit2Bytecode, tokenAbi } from './permits/foreignContracts.js'

/* Contracts of others judge what the enclave signed: OpenZeppelin's EIP-2612 token and Uniswap's Permit2. */

const passkey = createSoftPasskey({ rpId: 'service.example', origin: 'https://service.example' })
const recipient = privateKeyToAccount(generatePrivateKey()).address
const spender = privateKeyToAccount(generatePrivateKey())
const deadline = String(Math.floor(Date.now() / 1000) + 3600)
let world: TestWorld
let enclave: ReturnType<typeof createEnclave>
let token: Hex
let permit2: Hex
let chain: ReturnType<typeof openChain>

const openChain = () =>
  createWalletClient({
    account: spender,
    chain: foundry,
    transport: http(components().rpcUrl),
    pollingInterval: 20,
  }).extend(publicActions)

beforeAll(async () => {
  chain = openChain()
  world = await createTestWorld()
  enclave = createEnclave(world)
  await fund(spender.address)
  token = await deploy(tokenAbi, compileToken())
  permit2 = await deploy(permit2Abi, permit2Bytecode())
})
afterAll(() => world.remove())

async function deploy(abi: Abi, bytecode: Hex): Promise<Hex> {
  const hash = await chain.deployContract({ abi, bytecode })
  const { contractAddress, status } = await chain.waitForTransactionReceipt({ hash })
  expect(status).toBe('success')
  return contractAddress as Hex
}

/** Sent by the spender, who alone has ether. Rejects when the contract reverts. */
async function call(address: Hex, abi: Abi, functionName: string, args: readonly unknown[]): Promise<void> {
  const { request } = await chain.simulateContract({ address, abi, functionName, args, account: spender })
  const { status } = await chain.waitForTransactionReceipt({ hash: await chain.writeContract(request) })
  expect(status).toBe('success')
}

const balance = () =>
  chain.readContract({ address: token, abi: tokenAbi, functionName: 'balanceOf', args: [recipient] })

/** A new wallet with tokens and no ether. */
async function createWallet(passkeys: (typeof passkey)[]): Promise<TestWallet> {
  const request = createKeyRequest(world, { passkeys })
  const wallet = walletOf(request, await enclave.createKey(request))
  await call(token, tokenAbi, 'mint', [wallet.address, 1_000n])
  return wallet
}

/** Signed by the enclave; viem and ethers recover the wallet from it. */
async function sign(wallet: TestWallet, typedData: TypedData): Promise<Hex> {
  const approver = wallet.owners ? passkey : undefined
  const message = { scheme: 'eip712', typedData } as const
  const { signature } = await enclave.signMessage(signMessageRequest(wallet, world, message, { passkey: approver }))
  const { domain, types, message: content } = typedData
  const byViem = await recoverTypedDataAddress({ ...(forViem(typedData) as object), signature } as never)
  const byEthers = verifyTypedData(domain, types as never, content, signature)
  expect([byViem.toLowerCase(), byEthers.toLowerCase()]).toEqual([wallet.address, wallet.address])
  return signature
}

/** EIP-2612, with the domain that the token itself states (EIP-5267). */
async function permitFor(owner: Hex, spenderAddress: Hex, value: string): Promise<TypedData> {
  const read = { address: token, abi: tokenAbi } as const
  const [, name, version, chainId] = await chain.readContract({ ...read, functionName: 'eip712Domain' })
  const nonce = await chain.readContract({ ...read, functionName: 'nonces', args: [owner] })
  return {
    types: {
      Permit: [
        { name: 'owner', type: 'address' },
        { name: 'spender', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
      ],
    },
    primaryType: 'Permit',
    domain: { name, version, chainId: String(chainId), verifyingContract: token },
    message: { owner, spender: spenderAddress, value, nonce: String(nonce), deadline },
  }
}

async function permit(wallet: TestWallet, spenderAddress: Hex, value: string, claimed = value): Promise<void> {
  const signature = await sign(wallet, await permitFor(wallet.address, spenderAddress, value))
  const { r, s, v } = parseSignature(signature)
  await call(token, tokenAbi, 'permit', [
    wallet.address,
    spenderAddress,
    BigInt(claimed),
    BigInt(deadline),
    Number(v),
    r,
    s,
  ])
}

/** Permit2 takes this from its caller: who spends is signed, but is not an argument. */
function transferOf(amount: string, nonce: string): TypedData {
  return {
    types: {
      PermitTransferFrom: [
        { name: 'permitted', type: 'TokenPermissions' },
        { name: 'spender', type: 'address' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
      ],
      TokenPermissions: [
        { name: 'token', type: 'address' },
        { name: 'amount', type: 'uint256' },
      ],
    },
    primaryType: 'PermitTransferFrom',
    domain: { name: 'Permit2', chainId: String(foundry.id), verifyingContract: permit2 },
    message: { permitted: { token, amount }, spender: spender.address, nonce, deadline },
  }
}

test.each([
  ['a session', []],
  ['a passkey', [passkey]],
])('with %s, a Permit and a Permit2 transfer move tokens of a wallet that has no ether', async (_, passkeys) => {
  const wallet = await createWallet(passkeys)
  const before = await balance()

  await expect(permit(wallet, spender.address, '400', '401')).rejects.toThrow('ERC2612InvalidSigner')
  await permit(wallet, spender.address, '400')
  await call(token, tokenAbi, 'transferFrom', [wallet.address, recipient, 400n])
  expect(await balance()).toBe(before + 400n)

  await permit(wallet, permit2, '600')
  const signature = await sign(wallet, transferOf('250', '7'))
  const transfer = (amount: bigint) => [
    { permitted: { token, amount }, nonce: 7n, deadline: BigInt(deadline) },
    { to: recipient, requestedAmount: amount },
    wallet.address,
    signature,
  ]
  await expect(call(permit2, permit2Abi, 'permitTransferFrom', transfer(251n))).rejects.toThrow('InvalidSigner')
  await call(permit2, permit2Abi, 'permitTransferFrom', transfer(250n))
  expect(await balance()).toBe(before + 650n)
  await expect(call(permit2, permit2Abi, 'permitTransferFrom', transfer(250n))).rejects.toThrow('InvalidNonce')
})
