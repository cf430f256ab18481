import { parseEntropySample, type EntropySample } from '@perigee/core/entropy'
import type { EntropySource } from '../EntropySource.js'
import { fetchFromSource, malformed, parseJson, refusal } from '../fetchFromSource.js'

const source = 'simulated-satellite'

interface SimulatedSourceDeps {
  /** Where `dev/satellite` listens. */
  url: string
  timeoutMs?: number
  /** Milliseconds since 1970. */
  now?: () => number
}

/** The development stand-in. Its samples are signed and verified, and still count only as `simulated`. */
export function createSimulatedSource({ url, timeoutMs = 3_000, now = Date.now }: SimulatedSourceDeps): EntropySource {
  return {
    name: source,
    maxBatch: 32,
    limits: { requests: 40, perSeconds: 10, samplesPerDay: null },
    async fetch(count) {
      const answer = await fetchFromSource({
        source,
        url: new URL('/v1/samples', url).href,
        json: { count },
        timeoutMs,
        maxBytes: 64 * 1024,
      })
      if (answer.status !== 200) throw refusal(source, answer, now())
      const samples = (parseJson(source, answer.bytes) as { samples?: unknown } | null)?.samples
      if (!Array.isArray(samples) || samples.length === 0 || samples.length > count) {
        throw malformed(source, 'the answer holds no samples')
      }
      return samples.map((wire: unknown) => toSample(wire, Math.floor(now() / 1000)))
    },
  }
}

function toSample(wire: unknown, receivedAt: number): EntropySample {
  if (typeof wire !== 'object' || wire === null) throw malformed(source, 'a sample is not an object')
  const { value, producedAt, sequence, signature } = wire as Record<string, unknown>
  const fields = { version: 1, source, provenance: 'simulated', receivedAt, beacon: null }
  return parseEntropySample({ ...fields, value, producedAt, sequence, signature })
}
