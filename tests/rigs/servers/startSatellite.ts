import { generateKeyPairSync } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { createSatelliteServer, identityOf, pinOf, type Behaviour } from '../../../dev/satellite/index.js'
import type { EntropyTrust } from '@perigee/core/entropy'

/** The real stand-in on a free port, with a key of its own and a trust that pins it. */
export async function startSatellite(first = 1n) {
  const identity = identityOf(generateKeyPairSync('ed25519').privateKey)
  let next = first
  const server = createSatelliteServer(identity, () => next++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const trust: EntropyTrust = { minimum: 'simulated', freshnessSeconds: 600, keys: pinOf(identity) }
  return {
    url,
    identity,
    trust,
    async tell(order: Behaviour): Promise<void> {
      const answer = await fetch(`${url}/admin/behaviour`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(order),
      })
      if (!answer.ok) throw new Error(`the satellite refused the order: ${answer.status}`)
    },
    async close(): Promise<void> {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
export type TestSatellite = Awaited<ReturnType<typeof startSatellite>>
