import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { serve, type TestServer } from '../testing/servers.js'
import { openHttp, openRpc } from './openHttp.js'

const { get, createRpc } = openHttp()
const fetchBytes = (url: string, { limit }: { limit: number }) => get(url, { headers: {}, limit })

async function against<T>(server: Promise<TestServer>, work: (url: string) => Promise<T>): Promise<T> {
  const running = await server
  try {
    return await work(running.url)
  } finally {
    await running.close()
  }
}

describe('get', () => {
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

describe('createRpc', () => {
  test.each<[string, () => Promise<TestServer>]>([
    ['is not there', () => serve(() => null)],
    ['answers text', () => serve(() => ({ body: 'no' }))],
    ['answers null', () => serve(() => ({ body: 'null' }))],
    ['answers an error', () => serve(() => ({ body: '{"error":{"message":"too many blocks"}}' }))],
  ])('refuses a node that %s', async (_, server) => {
    await against(server(), async (url) => {
      const code = expect.stringMatching(/^chain_unavailable$/)
      await expect(createRpc(url)('eth_chainId', [])).rejects.toMatchObject({ code })
    })
  })

  test('says how to give a node when there is none', async () => {
    await expect(openRpc(openHttp(), undefined)('eth_chainId', [])).rejects.toThrow('--rpc')
  })
})
