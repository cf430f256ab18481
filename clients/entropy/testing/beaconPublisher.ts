import { randomBytes } from 'node:crypto'
import { generateKeyPair } from '@libp2p/crypto/keys'
import { createIPNSRecord, marshalIPNSRecord } from 'ipns'
import { base36 } from 'multiformats/bases/base36'
import { CID } from 'multiformats/cid'
import { cidOf } from '@perigee/core'
import { listen } from '../../../tests/rigs/servers/listen.js'

/** One published state of the beacon: what a gateway serves. */
export interface Publication {
  record: Uint8Array
  cid: string
  block: Uint8Array
}

/** A beacon with its own RSA key, as the real one has: it truly signs IPNS records over truly hashed blocks. */
export async function createBeaconPublisher() {
  const key = await generateKeyPair('RSA', 2048)
  const name = CID.createV1(0x72, key.publicKey.toMultihash()).toString(base36)
  return {
    name,
    key,
    async publish(sequence: number, options: { timestamp?: number; lifetimeMs?: number; body?: unknown } = {}) {
      const timestamp = options.timestamp ?? Math.floor(Date.now() / 1000)
      const ctrng = Array.from({ length: 3 }, () => randomBytes(32).toString('hex'))
      const body = options.body ?? { previous: '/ipfs/bafkqaaa', data: { sequence, timestamp, ctrng } }
      const block = new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body))
      const cid = cidOf(block)
      const record = await createIPNSRecord(key, `/ipfs/${cid}`, sequence, options.lifetimeMs ?? 86_400_000)
      return { record: marshalIPNSRecord(record), cid, block } satisfies Publication
    },
  }
}

/** A trustless gateway that serves one publication, and may be told to serve it badly. */
export async function startGateway(name: string, first: Publication) {
  const state = {
    current: first,
    mode: 'normal' as 'normal' | 'hang' | 'half-open' | 'error' | 'garble' | 'oversize' | 'other-block',
    requests: 0,
  }
  const peer = await listen((request, response) => {
    state.requests += 1
    const { mode, current } = state
    const send = (type: string, bytes: Uint8Array): void =>
      void response.writeHead(200, { 'content-type': type }).end(bytes)
    if (mode === 'hang') return
    if (mode === 'half-open') return void response.writeHead(200, { 'content-length': 500 }).write('half')
    if (mode === 'error') return void response.writeHead(504).end('no providers found')
    if (mode === 'garble') return send('text/html', randomBytes(300))
    if (mode === 'oversize') return send('application/vnd.ipfs.ipns-record', randomBytes(200_000))
    const { accept } = request.headers
    if (request.url === `/ipns/${name}?format=ipns-record` && accept === 'application/vnd.ipfs.ipns-record') {
      return send(accept, current.record)
    }
    if (request.url === `/ipfs/${current.cid}?format=raw` && accept === 'application/vnd.ipld.raw') {
      return send(accept, mode === 'other-block' ? randomBytes(100) : current.block)
    }
    response.writeHead(404).end()
  })
  return { ...peer, state }
}
