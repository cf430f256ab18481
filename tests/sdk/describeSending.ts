import {
  getAddress,
  keccak256,
  parseTransaction,
  recoverTransactionAddress,
  serializeTransaction,
  size,
  type Hex,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { ServiceClient } from '@perigee/sdk'
import { to, type Rig } from './rig.js'

/** `signAndSend`, step by step, on the real service and chain. */
export function describeSending(rig: () => Rig): void {
  const body = (line: string) =>
    JSON.parse(rig().page.calls.find((call) => call.line === line)?.body ?? '{}') as Record<string, never>

  describe('signAndSend', () => {
    test('rejects with wallet_not_ready while there is no wallet', async () => {
      rig().signOut()
      const { result } = await rig().mount()
      await rig().page.act(async () => {
        await expect(result.current.signAndSend({ to })).rejects.toThrow(/^wallet_not_ready$/)
      })
    })

    test('takes the steps of the spec: ether, nonce and fees in parallel, digest, signature, splice, broadcast', async () => {
      await rig().signIn('ada@example.test')
      const { result } = await rig().mount()
      const { wallet } = result.current
      await rig().fund(wallet?.address ?? '')
      rig().page.forget()
      const extra = { nonce: 99, maxFeePerGas: 1n } as object // cannot be overridden
      let run!: Promise<{ txHash: Hex; attestationSlug: string }>
      rig().page.act(() => void (run = result.current.signAndSend({ to, value: '0.5', ...extra })))
      expect(result.current).toMatchObject({ pending: true, error: null })
      const sent = await rig().page.act(() => run)
      expect(Object.keys(sent).sort()).toEqual(['attestationSlug', 'txHash'])
      expect(result.current).toMatchObject({ pending: false, error: null, lastResult: sent })

      const { calls } = rig().page
      const [nonce, fees] = ['RPC eth_getTransactionCount', 'RPC eth_getBlockByNumber'].map((line) =>
        calls.find((call) => call.line === line),
      )
      if (!nonce?.endedAt || !fees?.endedAt)
        throw new Error(`nonce or fees were not asked: ${rig().page.lines().join()}`)
      expect(fees.startedAt).toBeLessThan(nonce.endedAt) // both under way at once
      const { digest, txMetadata: tx } = body('POST /sign/digest') as unknown as { digest: Hex; txMetadata: Tx }
      expect(tx).toMatchObject({
        value: '500000000000000000',
        data: '0x',
        gas: '21000',
        chainId: rig().config.chainId,
        to,
      })
      expect(tx.nonce).toBeLessThan(99)
      const { value, gas, maxFeePerGas, maxPriorityFeePerGas, ...rest } = tx
      const numbers = Object.entries({ value, gas, maxFeePerGas, maxPriorityFeePerGas }).map(([k, v]) => [k, BigInt(v)])
      const unsigned = serializeTransaction({ type: 'eip1559', ...rest, ...(Object.fromEntries(numbers) as object) })
      expect(digest).toBe(keccak256(unsigned))
      expect(size(digest)).toBe(32)

      const raw = body('RPC eth_sendRawTransaction') as unknown as { params: [`0x02${string}`] }
      expect(keccak256(raw.params[0])).toBe(sent.txHash)
      expect(parseTransaction(raw.params[0]).type).toBe('eip1559')
      expect(await recoverTransactionAddress({ serializedTransaction: raw.params[0] })).toBe(
        getAddress(wallet?.address ?? ''),
      )
      expect(rig().page.lines().indexOf('POST /sign/digest')).toBeLessThan(
        rig().page.lines().indexOf('RPC eth_sendRawTransaction'),
      )
      const mined = await result.current.client.publicClient.waitForTransactionReceipt({ hash: sent.txHash })
      expect(mined.status).toBe('success')
      // Opaque: at least 128 bits, and nothing of the transaction in it.
      expect(sent.attestationSlug).toMatch(/^[A-Za-z0-9_-]{22,}$/)
      expect(sent.attestationSlug).not.toContain(sent.txHash.slice(2, 10))
    })

    test('a lost answer is asked for again and signs once: same signature, same slug, one transaction', async () => {
      await rig().signIn('ada@example.test')
      const { result } = await rig().mount()
      const { client, wallet } = result.current
      const count = () => client.publicClient.getTransactionCount({ address: wallet?.address as Hex })
      const before = await count()
      let lost = 0
      rig().api.set('cut-answer', (text) => text.includes('/sign/digest') && lost++ === 0)
      rig().page.forget()
      const { txHash } = await rig().page.act(() => result.current.signAndSend({ to, value: 3n }))
      expect(rig().page.linesLike(/^POST \/sign\/digest$/)).toHaveLength(2)
      await client.publicClient.waitForTransactionReceipt({ hash: txHash })
      expect(await count()).toBe(before + 1)
      const input = body('POST /sign/digest') as never
      const [first, again] = [await client.api.signDigest(input), await client.api.signDigest(input)]
      expect(again).toEqual(first)
      expect(size(first.signature)).toBe(65)
    })

    test('fails at broadcast with too little gas; error and lastResult follow the calls', async () => {
      await rig().signIn('ada@example.test')
      const { result } = await rig().mount()
      const call = { to: rig().site.stack.contractAddress, data: '0x8da5cb5b' } as const // owner()
      // anvil looks at the price of calldata only when it mines, other nodes at once; below 21000 it refuses too.
      await rig().page.act(async () => {
        const run = result.current.signAndSend({ ...call, gas: 20_000n })
        await expect(run).rejects.toMatchObject({
          code: 'gas_too_low',
          facts: { attestationSlug: expect.any(String) },
        })
      })
      expect(result.current).toMatchObject({ error: { code: 'gas_too_low' }, lastResult: null, pending: false })
      const raised = await rig().page.act(() => result.current.signAndSend({ ...call, gas: 60_000n }))
      expect(result.current).toMatchObject({ error: null, lastResult: raised })
      const estimated = await rig().page.act(() => result.current.signAndSend({ ...call, gas: 'estimate' }))
      const { client } = result.current
      const mined = await client.publicClient.waitForTransactionReceipt({ hash: estimated.txHash })
      expect(mined.status).toBe('success')
      await rig().page.act(async () => void (await result.current.signAndSend({ to: '0x' }).catch(() => undefined)))
      expect(result.current).toMatchObject({ error: { code: 'transaction_invalid' }, lastResult: estimated })
    })

    test('without React: the client asks nothing by itself, provisions nothing, and sends', async () => {
      await rig().signIn('script@example.test')
      const client = new ServiceClient(rig().config)
      await new Promise((resolve) => setTimeout(resolve, 100))
      expect(rig().page.calls).toEqual([])
      const { address } = await client.api.provisionWallet()
      expect((await client.api.getWallet()).address).toBe(address)
      await rig().fund(address)
      const { attestationSlug, txHash } = await client.signAndSend({ to, value: 7n })
      const proof = await client.waitForProof(attestationSlug)
      expect(proof).toMatchObject({ status: 'complete', txHash, walletAddress: address, kmsQuoteVerified: true })
    })

    test('no key and nothing else is kept in the browser, and only the service and the chain are asked', () => {
      const { window } = rig().page
      expect([window.localStorage.length, window.sessionStorage.length, window.document.cookie]).toEqual([0, 0, ''])
      expect(rig().page.linesLike(/^(?!RPC eth_|(?:GET|POST) \/(?:auth|wallet|sign|proof)\/)/)).toEqual([])
      expect(rig().page.linesLike(/subscribe|newFilter|getLogs|personal_|sign(?:Typed)?$/i)).toEqual([])
    })
  })
}

interface Tx {
  chainId: number
  nonce: number
  to: Hex
  data: Hex
  value: string
  gas: string
  maxFeePerGas: string
  maxPriorityFeePerGas: string
}
