import { toHex, type Hex } from '../bytes/index.js'
import type { KeyProvider, RuntimeEvent } from '../measurements/runtimeEvents.js'

/** What dstack's guest measures into RTMR3 for an application, in its order and spelling. */
export function bootLog(app: { composeHash: Hex; appId: Hex; keyProvider: KeyProvider }): RuntimeEvent[] {
  const provider = JSON.stringify({ name: app.keyProvider.name, id: app.keyProvider.id.slice(2) })
  return [
    { event: 'system-preparing', payload: '' },
    { event: 'app-id', payload: app.appId.slice(2) },
    { event: 'compose-hash', payload: app.composeHash.slice(2) },
    { event: 'instance-id', payload: '5e'.repeat(20) },
    { event: 'boot-mr-done', payload: '' },
    { event: 'key-provider', payload: toHex(new TextEncoder().encode(provider)).slice(2) },
    { event: 'system-ready', payload: '' },
  ]
}
