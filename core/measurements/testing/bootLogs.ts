import { toHex } from '../../bytes/index.js'
import type { RuntimeEvent } from '../runtimeEvents.js'

const provider = (json: string): string => toHex(new TextEncoder().encode(json)).slice(2)
const none = { event: 'nothing', payload: '' }

/** How a log that starts as the published one is changed by a hostile or broken machine, and what that must be called. */
export const hostileLogs: [string, string, (log: RuntimeEvent[]) => RuntimeEvent[]][] = [
  ['an attacker’s key service', 'key_provider_mismatch', withProvider('{"name":"kms","id":"3059aa"}')],
  ['a key service of an unknown kind', 'key_provider_mismatch', withProvider('{"name":"hsm","id":"3059aa"}')],
  ['another kind of key service under the same id', 'key_provider_mismatch', renamedProvider],
  ['no key service', 'key_provider_missing', withProvider('{"name":"none","id":""}')],
  ['a key service without id', 'key_provider_missing', withProvider('{"name":"kms","id":""}')],
  ['a TPM, whose id is empty', 'key_provider_missing', withProvider('{"name":"tpm","id":""}')],
  ['an unreadable key provider', 'key_provider_missing', withProvider('kms')],
  ['a key provider named twice in one event', 'key_provider_missing', withProvider('{"name":"kms","name":"kms","id":"30"}')],
  ['no key provider', 'key_provider_missing', (log) => log.filter(({ event }) => event !== 'key-provider')],
  ['a key provider after the boot', 'key_provider_missing', toTheEnd('key-provider')],
  ['a key provider twice', 'event_log_invalid', twice('key-provider')],
  ['a foreign app id', 'app_id_mismatch', replaced('app-id', 'ee'.repeat(20))],
  ['no app id', 'app_id_mismatch', (log) => log.filter(({ event }) => event !== 'app-id')],
  ['an app id after the boot', 'app_id_mismatch', toTheEnd('app-id')],
  ['an app id twice', 'event_log_invalid', twice('app-id')],
  ['another compose file', 'measurement_unknown', replaced('compose-hash', 'ee'.repeat(32))],
  ['no compose hash', 'measurement_unknown', (log) => log.filter(({ event }) => event !== 'compose-hash')],
  ['a compose hash after the boot', 'measurement_unknown', toTheEnd('compose-hash')],
  ['a compose hash twice', 'event_log_invalid', twice('compose-hash')],
  ['no end of the boot', 'event_log_invalid', (log) => log.filter(({ event }) => event !== 'system-ready')],
  ['no events', 'event_log_invalid', () => []],
] // prettier-ignore

/** Providers that only a simulated build may have. */
export const developmentProviders: [string, (log: RuntimeEvent[]) => RuntimeEvent[]][] = [
  ['the simulation', withProvider('{"name":"simulated","id":"30"}')],
  ['dstack’s local provider', withProvider('{"name":"local-sgx","id":"30"}')],
]

function replaced(name: string, payload: string) {
  return (log: RuntimeEvent[]) => log.map((entry) => (entry.event === name ? { event: name, payload } : entry))
}
function withProvider(json: string) {
  return replaced('key-provider', provider(json))
}
/** The payload is the hex of JSON: only the name changes. */
function renamedProvider(log: RuntimeEvent[]) {
  const hex = (text: string) => toHex(new TextEncoder().encode(text)).slice(2)
  const rename = (payload: string) => payload.replace(hex('"name":"kms"'), hex('"name":"hsm"'))
  return log.map((entry) => (entry.event === 'key-provider' ? { ...entry, payload: rename(entry.payload) } : entry))
}
function twice(name: string) {
  return (log: RuntimeEvent[]) => log.flatMap((entry) => (entry.event === name ? [entry, entry] : [entry]))
}
/** The application measures it: after `system-ready`, under any name it likes. */
function toTheEnd(name: string) {
  return (log: RuntimeEvent[]) => [
    ...log.filter(({ event }) => event !== name),
    log.find(({ event }) => event === name) ?? none,
  ]
}
