import { ServiceClient } from '@perigee/sdk/client'
import { toServiceAccount } from '@perigee/sdk/viem'
import { createTestClient, createWalletClient, http, parseEther, publicActions } from 'viem'
import { foundry } from 'viem/chains'
import { order } from './order.js'
import { signIn } from './signIn.js'

const apiBaseUrl = process.env['API_URL'] ?? 'http://localhost:8080'
const rpcUrl = process.env['RPC_URL'] ?? 'http://localhost:8545'
const origin = process.env['WEB_URL'] ?? 'http://localhost:5173'

const cookie = await signIn(apiBaseUrl, 'script@example.test', origin)
const client = new ServiceClient({
  apiBaseUrl,
  rpcUrl,
  chainId: foundry.id,
  // Node has no cookie jar, and sends no Origin, which the service asks for.
  fetch: (input, init) => fetch(input, { ...init, headers: { ...init?.headers, cookie, origin } }),
})
const { address } = await client.api.provisionWallet()
console.log(`wallet       ${address}`)

const slugs: string[] = []
const account = toServiceAccount({
  client,
  address,
  onSigned: ({ attestationSlug }) => void slugs.push(attestationSlug),
})
const wallet = createWalletClient({ account, chain: foundry, transport: http(rpcUrl) }).extend(publicActions)

console.log(`message      ${await wallet.signMessage({ message: 'Hello from a script' })}`)
console.log(`typed data   ${await wallet.signTypedData(order)}`)

// Test ether, which only a local chain gives away.
await createTestClient({ mode: 'anvil', chain: foundry, transport: http(rpcUrl) }).setBalance({
  address,
  value: parseEther('1'),
})
const hash = await wallet.sendTransaction({
  to: '0x00000000000000000000000000000000000000aa',
  value: parseEther('0.01'),
})
const { status } = await wallet.waitForTransactionReceipt({ hash })
console.log(`transaction  ${hash} ${status}`)

for (const slug of slugs) {
  const proof = await client.waitForProof(slug, { timeoutMs: 120_000 })
  console.log(`proof        ${origin}/p/${slug} ${proof.status}`)
}
