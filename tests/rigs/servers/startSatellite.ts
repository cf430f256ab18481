import { generateKeyPairSync } from 'node:crypto'
import { createSatelliteServer, identityOf, pinOf, type Behaviour } from '../../../dev/satellite/index.js'
import type { EntropyTrust } from '@perigee/core/entropy'
import { listen } from './listen.js'

/** The real stand-in on a free port, with a key of its own and a trust that pins it. */
export async function startSatellite(first = 1n) {
  const identity = identityOf(generateKeyPairSync('ed25519').privateKey)
  let next = first
  const { url, close } = await listen(createSatelliteServer(identity, () => next++))
  const trust: EntropyTrust = { minimum: 'simulated', freshnessSeconds: 600, keys: pinOf(identity) }
  return {
    url,
    identity,
    trust,
    close,
    async tell(order: Behaviour): Promise<void> {
      const answer = await fetch(`${url}/admin/behaviour`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(order),
      })
      if (!answer.ok) throw new Error(`the satellite refused the order: ${answer.status}`)
    },
  }
}
export type TestSatellite = Awaited<ReturnType<typeof startSatellite>>
