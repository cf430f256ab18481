import { sha384 } from '@noble/hashes/sha2'
import { z } from 'zod'
import { concatBytes, fromHex, parseStrictJson, toHex, type Hex } from '../bytes/index.js'
import { ServiceError } from '../errors/index.js'

/** One entry of dstack's log of what was measured into RTMR3 while the machine started. */
export interface RuntimeEvent {
  event: string
  /** Hex without 0x, as the guest agent prints it. */
  payload: string
}

/** Who supplied the keys of a machine. */
export interface KeyProvider {
  /** `kms`, `local-sgx`, `tpm` or `none` under dstack; `simulated` here. */
  name: string
  id: Hex
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
 * What was measured about the application and its keys while the machine started; null for what was not. Events after the
 * first `system-ready` come from the application, which can choose any name, so they are ignored. A name measured twice
 * proves neither payload: `event_log_invalid`.
 */
export function readBootLog(events: readonly RuntimeEvent[]) {
  const ready = events.findIndex(({ event }) => event === 'system-ready')
  if (ready === -1) throw new ServiceError('event_log_invalid', 'the log of run-time events has no system-ready')
  const boot = events.slice(0, ready)
  const payloadOf = (name: string): Hex | null => {
    const [found, second] = boot.filter(({ event }) => event === name)
    if (second) throw new ServiceError('event_log_invalid', `the boot measured ${name} twice`)
    return found ? toHex(fromHex(`0x${found.payload}`)) : null
  }
  const keyProvider = payloadOf('key-provider')
  return {
    composeHash: payloadOf('compose-hash'),
    appId: payloadOf('app-id'),
    keyProvider: keyProvider && parseKeyProvider(keyProvider),
  }
}

const keyProviderSchema = z.strictObject({ name: z.string(), id: z.string().regex(/^(?:[0-9a-f]{2})*$/) })

/** dstack measures the JSON `{"name":"kms","id":"<hex>"}`. Anything else names no provider. */
function parseKeyProvider(payload: Hex): KeyProvider | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(fromHex(payload))
    const { name, id } = keyProviderSchema.parse(parseStrictJson(text))
    return { name, id: `0x${id}` }
  } catch {
    return null
  }
}
