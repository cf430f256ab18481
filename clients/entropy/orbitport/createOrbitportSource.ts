import type { EntropyTrust } from '@perigee/core/entropy'
import type { EntropySource } from '../EntropySource.js'
import { fetchFromSource, refusal, type SourceAnswer } from '../fetchFromSource.js'
import type { OrbitportConfig } from './config.js'
import { createTokenSource } from './createTokenSource.js'
import { parseRestAnswer, parseRpcAnswer } from './parseAnswer.js'

const source = 'orbitport'

interface OrbitportDeps {
  config: OrbitportConfig
  trust: EntropyTrust
  timeoutMs?: number
  /** Milliseconds since 1970. */
  now?: () => number
}

/**
 * SpaceComputer's Orbitport gateway. Almost all its samples are derived and unsigned: they are `operator-asserted`, which
 * means that we vouch for the TLS connection and the token. Only a signature by a key that we pinned proves more.
 */
export function createOrbitportSource(deps: OrbitportDeps): EntropySource {
  const { config, trust, timeoutMs = 5_000, now = Date.now } = deps
  const tokens = createTokenSource(source, config.auth, { timeoutMs, now })
  const pinned = Object.entries(trust.keys).filter(([, key]) => key.source === source)
  const rest = config.protocol === 'rest'

  async function ask(count: number, token: string): Promise<SourceAnswer> {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
    const common = { source, headers, timeoutMs, maxBytes: 64 * 1024 }
    if (rest) {
      const url = new URL('/api/v1/services/trng', config.url)
      if (config.src !== '') url.searchParams.set('src', config.src)
      return fetchFromSource({ ...common, url: url.href })
    }
    const call = { jsonrpc: '2.0', id: 1, method: 'ctrng.Get', params: { version: 1, chunks: count } }
    return fetchFromSource({ ...common, url: new URL('/api/v1/rpc', config.url).href, json: call })
  }

  return {
    name: source,
    // REST keeps only the first signature of a batch, so each signed sample is a request of its own.
    maxBatch: rest ? 1 : 10,
    limits: { requests: 40, perSeconds: 10, samplesPerDay: config.samplesPerDay },
    async fetch(count) {
      let token = await tokens.get()
      let answer = await ask(count, token)
      if (answer.status === 401 && tokens.refused(token)) {
        token = await tokens.get()
        answer = await ask(count, token)
      }
      if (answer.status !== 200) throw refusal(source, answer, now())
      const receivedAt = Math.floor(now() / 1000)
      return rest
        ? [parseRestAnswer(answer.bytes, pinned, receivedAt)]
        : parseRpcAnswer(answer.bytes, count, receivedAt)
    },
  }
}
