import { ipnsValidator } from 'ipns/validator'
import { multihashToIPNSRoutingKey } from 'ipns'
import { ServiceError, verifyCid, type UnixSeconds } from '@perigee/core'
import type { EntropySample } from '@perigee/core/entropy'
import { multihashOfName, parseBeaconBlock, verifyIpnsRecord } from '@perigee/core/entropyBeacon'
import type { EntropySource } from '../EntropySource.js'
import { fetchFromSource, malformed, refusal, unavailable } from '../fetchFromSource.js'

export interface BeaconDeps {
  /** The source's name in samples, as pinned in `ENTROPY_BEACON_NAMES`. */
  source: string
  /** The pinned IPNS name, base36. */
  name: string
  /** Trustless gateways: answers are verified, so any will do. Tried in turn. */
  gateways: readonly string[]
  /** The highest block sequence ever stored, so that a restart forgets no progress. */
  highWater: () => Promise<bigint | null>
  timeoutMs?: number
  /** Milliseconds since 1970. */
  now?: () => number
}

/** The public IPNS beacon. Its values are public, so they witness a time; they are no secret. */
export function createBeaconSource(deps: BeaconDeps): EntropySource {
  const { source, name, gateways, highWater, timeoutMs = 5_000, now = Date.now } = deps
  const seconds = (): UnixSeconds => Math.floor(now() / 1000)

  async function get(gateway: string, path: string, accept: string, maxBytes: number): Promise<Uint8Array> {
    const url = new URL(path, gateway).href
    const answer = await fetchFromSource({ source, url, headers: { accept }, timeoutMs, maxBytes })
    if (answer.status !== 200) throw refusal(source, answer, now())
    return answer.bytes
  }

  async function must(why: string, check: () => unknown): Promise<void> {
    try {
      await check()
    } catch (cause) {
      throw malformed(source, why, cause)
    }
  }

  /** The record and the block that one gateway gives, verified. */
  async function askGateway(gateway: string) {
    const record = await get(gateway, `/ipns/${name}?format=ipns-record`, 'application/vnd.ipfs.ipns-record', 10_240)
    // The `ipns` package's own check as well: of the name, the time and the record's format.
    const validate = () => ipnsValidator(multihashToIPNSRoutingKey(multihashOfName(name) as never), record)
    await must('the IPNS record is not valid for the pinned name', validate)
    const value = await verifyIpnsRecord(name, record, seconds())
    const cid = /^\/ipfs\/([a-z2-7]+)$/.exec(value)?.[1]
    if (cid === undefined) throw malformed(source, 'the record points to no block')
    const block = await get(gateway, `/ipfs/${cid}?format=raw`, 'application/vnd.ipld.raw', 48 * 1024)
    await must('the gateway gave a block with another hash', () => verifyCid(cid, block))
    const parsed = parseBeaconBlock(block)
    return { record, cid, block, parsed, sequence: BigInt(parsed.sequence) }
  }

  function toSamples({ record, cid, block, parsed }: Awaited<ReturnType<typeof askGateway>>, count: number) {
    const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
    const evidence = { name, record: base64(record), cid, block: base64(block) }
    const receivedAt = seconds()
    // All values of a block at once: a stored sequence is not read again.
    return parsed.values.slice(0, Math.max(count, 16)).map((value, index): EntropySample => ({
      version: 1,
      source,
      provenance: 'beacon-verified',
      value,
      receivedAt,
      producedAt: parsed.producedAt,
      sequence: parsed.sequence,
      signature: null,
      beacon: { ...evidence, index },
    }))
  }

  return {
    name: source,
    maxBatch: 16,
    // A new block comes about once a minute; asking more often only burdens the gateways.
    limits: { requests: 6, perSeconds: 60, samplesPerDay: null, ahead: 6 },
    async fetch(count) {
      const seen = await highWater()
      let unchanged = false
      let failure: unknown = unavailable(source, 'no gateway configured')
      for (const gateway of gateways) {
        try {
          const found = await askGateway(gateway)
          if (seen === null || found.sequence > seen) return toSamples(found, count)
          // The same block: the beacon has nothing new. An older one: the gateway lags, or an attacker replays an old record
          // that is still valid. Another gateway may have a newer one.
          if (found.sequence < seen) throw rolledBack(source, found.sequence, seen)
          unchanged = true
        } catch (error) {
          failure = error
        }
      }
      if (unchanged) return []
      throw failure
    },
  }
}

function rolledBack(source: string, sequence: bigint, seen: bigint): ServiceError {
  const facts = { source, sequence: sequence.toString(), seen: seen.toString() }
  return new ServiceError('entropy_invalid', 'the beacon went back to before a block it had published', facts)
}
