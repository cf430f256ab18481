import { sha384 } from '@noble/hashes/sha2'
import { concatBytes, fromHex, toHex, type Hex } from '../bytes/index.js'
import { ServiceError } from '../errors/index.js'

/** One entry of dstack's log of what was measured into RTMR3 while the machine started. */
export interface RuntimeEvent {
  event: string
  /** Hex without 0x, as the guest agent prints it. */
  payload: string
}

/** dstack's type of a run-time event, little-endian, as it is hashed. */
const eventType = Uint8Array.of(0x01, 0x00, 0x00, 0x08)
const colon = Uint8Array.of(0x3a)

/**
 * RTMR3 after these events. Each digest is computed from the event's name and payload: a log that carries its own
 * digests could show one payload and measure another.
 */
export function replayRtmr3(events: readonly RuntimeEvent[]): Hex {
  let register: Uint8Array = new Uint8Array(48)
  for (const { event, payload } of events) {
    const name = new TextEncoder().encode(event)
    const digest = sha384(concatBytes(eventType, colon, name, colon, fromHex(`0x${payload}`)))
    register = sha384(concatBytes(register, digest))
  }
  return toHex(register)
}

/**
 * The compose hash measured while the machine started. Events after `system-ready` come from the application, which can
 * choose any name, so they are ignored. A name measured twice proves neither payload.
 */
export function composeHashOf(events: readonly RuntimeEvent[]): Hex {
  const ready = events.findIndex(({ event }) => event === 'system-ready')
  const found = events.slice(0, ready === -1 ? 0 : ready).filter(({ event }) => event === 'compose-hash')
  if (found.length !== 1) throw new ServiceError('measurement_unknown', 'the boot log does not name one compose hash')
  return toHex(fromHex(`0x${(found[0] as RuntimeEvent).payload}`, 32))
}
