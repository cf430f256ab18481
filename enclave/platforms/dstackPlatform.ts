import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { DstackClient, type EventLog } from '@phala/dstack-sdk'
import { fromHex, ServiceError, withCode, type Hex } from '@perigee/core'
import type { RuntimeEvent } from '@perigee/core/enclave'
import { replayRtmr3 } from '@perigee/core/measurements'
import { parseQuote } from '@perigee/core/tdx'
import type { Platform, QuoteEvidence } from './Platform.js'

const runtimeEventType = 0x08000001

/**
 * A TDX machine under dstack. Its guest agent derives the sealing keys from the measured application and obtains quotes.
 * All keys are derived before it returns, so a key service that is gone later stops nothing.
 */
export async function openDstackPlatform(
  endpoint: string | undefined,
  versions: readonly number[] = [1],
): Promise<Platform> {
  const client = new DstackClient(endpoint)
  const byVersion = new Map<number, KeyObject>()
  for (const version of versions) byVersion.set(version, await deriveSealingKey(client, version))
  return {
    name: 'dstack',
    sealingKeys: { current: versions[0] ?? 1, byVersion },
    async quote(reportData) {
      const { quote, event_log } = await client.getQuote(reportData).catch((cause: unknown) => {
        throw new ServiceError('enclave_busy', 'the guest agent returned no quote; try again', {}, cause)
      })
      return checkedEvidence(`0x${quote.replace(/^0x/, '').toLowerCase()}`, event_log, reportData)
    },
  }
}

/** The agent derives its key for our path; one more derivation makes sure that this key is used for sealing only. */
async function deriveSealingKey(client: DstackClient, version: number): Promise<KeyObject> {
  const { key } = await client.getKey(`perigee/sealing/v${version}`, 'sealing').catch((cause: unknown) => {
    throw new Error('the guest agent gives no sealing key: is the key service reachable, and does it know this build?', { cause }) // prettier-ignore
  })
  if (key.length !== 32) throw new Error('the guest agent did not return a 32-byte key')
  const derived = hkdfSync('sha256', key, new Uint8Array(0), `perigee.sealing-key.v${version}`, 32)
  key.fill(0)
  return createSecretKey(new Uint8Array(derived))
}

/** The agent is part of the measured machine, but a quote over other data than requested is useless. */
function checkedEvidence(quote: Hex, eventLog: string, reportData: Uint8Array): QuoteEvidence {
  const parsed = parseQuote(fromHex(quote))
  const runtimeEvents = parseRuntimeEvents(eventLog)
  if (!Buffer.from(fromHex(parsed.reportData)).equals(reportData)) {
    throw new ServiceError('binding_mismatch', 'the guest agent quoted other REPORTDATA than requested')
  }
  if (replayRtmr3(runtimeEvents) !== parsed.rtmr3) {
    throw new ServiceError('binding_mismatch', 'the event log does not replay to the RTMR3 in the quote')
  }
  return { quote, runtimeEvents }
}

/** The events of RTMR3, without the digests they claim: every verifier computes those itself. */
function parseRuntimeEvents(eventLog: string): RuntimeEvent[] {
  const log = withCode('binding_mismatch', 'the event log is not JSON', () => JSON.parse(eventLog) as EventLog[])
  const events = log.filter(({ imr }) => imr === 3)
  if (events.some(({ event_type }) => event_type !== runtimeEventType)) {
    throw new ServiceError('binding_mismatch', 'RTMR3 holds an event of an unknown type')
  }
  return events.map(({ event, event_payload }) => ({ event, payload: event_payload.toLowerCase() }))
}
