import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { cidOf, type Hex } from '@perigee/core'
import type { PublishedEvent } from '@perigee/core/receipt/verify'
import { serve, serveChain, type TestServer } from '../testing/servers.js'
import { readEvents } from './chain.js'
import { fetchBytes } from './fetchBytes.js'
import { fetchCid } from './gateway.js'

const silent = { cwd: '/', now: () => 0, print: () => {}, progress: () => {} }
async function against<T>(server: Promise<TestServer>, work: (url: string) => Promise<T>): Promise<T> {
  const running = await server
  try {
    return await work(running.url)
  } finally {
    await running.close()
  }
}

describe('fetchBytes', () => {
  test('stops reading an answer that does not end', async () => {
    const endless = createServer((_, response) => {
      const chunk = Buffer.alloc(64 * 1024)
      const more = () => {
        while (!response.destroyed && response.write(chunk));
        if (!response.destroyed) response.once('drain', more)
      }
      more()
    })
    await new Promise<void>((done) => endless.listen(0, '127.0.0.1', done))
    const url = `http://127.0.0.1:${(endless.address() as AddressInfo).port}`
    await expect(fetchBytes(url, { limit: 1024 * 1024 })).rejects.toMatchObject({ code: 'payload_too_large' })
    endless.closeAllConnections()
    endless.close()
  })

  test('turns refusals and silence into a code, without the path of the URL', async () => {
    await against(
      serve(() => ({ status: 500, body: '' })),
      async (url) => {
        const asked = fetchBytes(`${url}/secret-key`, { limit: 10 })
        await expect(asked).rejects.toMatchObject({ code: 'service_unavailable', facts: { status: 500 } })
        await expect(asked).rejects.not.toThrow(/secret-key/)
      },
    )
    await expect(fetchBytes('http://127.0.0.1:1/', { limit: 10 })).rejects.toMatchObject({
      code: 'service_unavailable',
    })
  })
})

describe('fetchCid', () => {
  const bytes = new TextEncoder().encode('receipt')
  test('says that a gateway lied even when the next one only had nothing', async () => {
    await against(
      serve(() => ({ body: 'other bytes' })),
      (liar) =>
        against(
          serve(() => null),
          async (empty) => {
            const asked = fetchCid(cidOf(bytes), 'receipt', [liar, empty], silent)
            await expect(asked).rejects.toMatchObject({ code: 'cid_mismatch' })
          },
        ),
    )
  })

  test('needs a gateway', async () => {
    await expect(fetchCid(cidOf(bytes), 'receipt', [], silent)).rejects.toMatchObject({ code: 'evidence_missing' })
  })
})

describe('readEvents', () => {
  const event: PublishedEvent = {
    chainId: 5,
    contract: `0x${'aa'.repeat(20)}`,
    wallet: `0x${'bb'.repeat(20)}`,
    txHash: `0x${'cc'.repeat(32)}`,
    ipfsCid: cidOf(new Uint8Array()),
    transactionHash: `0x${'dd'.repeat(32)}`,
    blockNumber: 7,
    blockTimestamp: 1000,
    confirmations: 2,
  }
  const query = (rpc: string) => ({ rpc, contract: event.contract, txHash: event.txHash, fromBlock: 0 })

  test('reads back what the contract emitted for the transaction, and nothing else', async () => {
    const other = { ...event, txHash: `0x${'01'.repeat(32)}` as Hex }
    const foreign = { ...event, contract: `0x${'02'.repeat(20)}` as Hex }
    await against(serveChain([event, other, foreign]), async (rpc) => {
      await expect(readEvents(query(rpc))).resolves.toEqual([event])
    })
  })

  const answering = (logs: unknown, block: unknown = { hash: '0x01', timestamp: '0x1' }) =>
    serve((_, body) => {
      const { method } = JSON.parse(body) as { method: string }
      const result = method === 'eth_getLogs' ? logs : method === 'eth_getBlockByNumber' ? block : '0x5'
      return { body: JSON.stringify({ result }) }
    })
  const log = { address: event.contract, topics: [], data: '0x', blockNumber: '0x1', blockHash: '0x01' }

  test.each<[string, () => Promise<TestServer>]>([
    ['is not there', () => serve(() => null)],
    ['answers text', () => serve(() => ({ body: 'no' }))],
    ['answers null', () => serve(() => ({ body: 'null' }))],
    ['answers an error', () => serve(() => ({ body: '{"error":{"message":"too many blocks"}}' }))],
    ['answers no list', () => answering('logs')],
    ['answers a log without topics', () => answering([log])],
    ['answers null for a log', () => answering([null])],
    ['answers too many logs', () => answering(Array(101).fill(log))],
  ])('refuses a node that %s', async (_, server) => {
    await against(server(), async (rpc) => {
      const code = expect.stringMatching(/^(chain_unavailable|parse_failed)$/)
      await expect(readEvents(query(rpc))).rejects.toMatchObject({ code })
    })
  })
})
