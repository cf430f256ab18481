import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from '../../tests/rigs/servers/listen.js'
import type { TestKubo } from '../../tests/rigs/servers/startKubo.js'

interface KeptPin {
  requestid: string
  status: 'queued' | 'pinning' | 'pinned' | 'failed'
  created: string
  pin: { cid: string; name?: string; origins?: string[] }
  delegates: string[]
}

/**
 * A stand-in for a provider of the IPFS Pinning Service API: it keeps requests, connects to the origins it is given, and
 * fetches and pins the block on its own Kubo node.
 */
export async function startPinningService(kubo: TestKubo, token: string) {
  const pins = new Map<string, KeptPin>()
  let isBroken = false
  const delegates = ((await (await kubo.rpc('id')).json()) as { Addresses: string[] }).Addresses

  async function carryOut(kept: KeptPin): Promise<void> {
    kept.status = 'pinning'
    if (isBroken) return void (kept.status = 'failed')
    for (const origin of kept.pin.origins ?? []) await kubo.rpc(`swarm/connect?arg=${encodeURIComponent(origin)}`)
    const answer = await kubo.rpc(`pin/add?arg=${kept.pin.cid}&timeout=10s`)
    await answer.text()
    kept.status = answer.ok ? 'pinned' : 'failed'
  }

  function add(pin: KeptPin['pin']): KeptPin {
    const created = new Date().toISOString()
    const kept: KeptPin = { requestid: randomUUID(), status: 'queued', created, pin, delegates }
    pins.set(kept.requestid, kept)
    setTimeout(() => void carryOut(kept), 50)
    return kept
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const refuse = (status: number, reason: string) => answer(status, { error: { reason } })
    const body = await text(request)
    if (request.headers.authorization !== `Bearer ${token}`) return void refuse(401, 'UNAUTHORIZED')
    const url = new URL(request.url ?? '/', 'http://localhost')
    const [, root, id] = url.pathname.split('/')
    if (root !== 'pins') return void refuse(404, 'NOT_FOUND')
    if (!id && request.method === 'POST') {
      return void answer(202, add(JSON.parse(body) as KeptPin['pin']))
    }
    if (!id && request.method === 'GET') {
      const wanted = (url.searchParams.get('status') ?? 'pinned').split(',')
      const cids = url.searchParams.get('cid')?.split(',')
      const results = [...pins.values()].filter(
        ({ status, pin }) => wanted.includes(status) && (!cids || cids.includes(pin.cid)),
      )
      return void answer(200, { count: results.length, results })
    }
    const kept = pins.get(id ?? '')
    if (!kept) return void refuse(404, 'NOT_FOUND')
    if (request.method === 'GET') return void answer(200, kept)
    if (request.method === 'DELETE') {
      pins.delete(kept.requestid)
      if (kept.status === 'pinned') await (await kubo.rpc(`pin/rm?arg=${kept.pin.cid}`)).text()
      return void response.writeHead(202).end()
    }
    refuse(405, 'METHOD_NOT_ALLOWED')
  }

  const { url, close } = await listen(handle)
  return {
    url,
    close,
    /** While broken, what it accepts fails later, as providers do. */
    setBroken: (broken: boolean): void => void (isBroken = broken),
  }
}
