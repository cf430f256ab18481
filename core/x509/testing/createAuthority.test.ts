import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, get } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createChannelCertificates, type ChannelFiles } from './createChannelCertificates.js'

const dir = mkdtempSync(join(tmpdir(), 'perigee-authorities-'))
afterAll(() => rmSync(dir, { recursive: true }))

const [former, next] = [
  await createChannelCertificates(join(dir, 'former')),
  await createChannelCertificates(join(dir, 'next')),
]
const text = (file: string) => readFileSync(file, 'utf8')

/** What a client that trusts these authorities gets from a server that trusts them too. */
async function talk(server: ChannelFiles, client: ChannelFiles, ca: string): Promise<string> {
  const own = { cert: text(server.serverCert), key: text(server.serverKey) }
  const listening = createServer({ ...own, ca, requestCert: true, rejectUnauthorized: true }, (_, answer) =>
    answer.end('ok'),
  ).listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  try {
    return await new Promise((resolve) => {
      const [cert, key] = [text(client.clientCert), text(client.clientKey)]
      get({ host: '127.0.0.1', port, cert, key, ca, agent: false }, (answer) => {
        answer.resume()
        resolve(String(answer.statusCode))
      }).once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    })
  } finally {
    listening.closeAllConnections()
    listening.close()
  }
}

test('while both authorities are trusted, old and new certificates work on either side', async () => {
  for (const ca of [text(former.ca) + text(next.ca), text(next.ca) + text(former.ca)]) {
    for (const server of [former, next]) {
      for (const client of [former, next]) expect(await talk(server, client, ca)).toBe('200')
    }
  }
})

test('an authority that is trusted no longer ends both sides', async () => {
  expect(await talk(next, next, text(next.ca))).toBe('200')
  expect(await talk(former, next, text(next.ca))).toMatch(/CERT|VERIFY|SIGNATURE/)
  expect(await talk(next, former, text(next.ca))).not.toBe('200')
})
