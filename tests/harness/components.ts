import { inject } from 'vitest'
import type { Address, Hex } from 'viem'
import type { ServerAddresses } from '../../dev/stack/servers.js'

/** Where the shared components are, and the keys of their chain. */
export interface Components extends ServerAddresses {
  contractAddress: Address
  /** May add publishers; tests ask `freshPublisher()` instead, so that no two share a nonce. */
  contractOwnerKey: Hex
  programs: { temporal: string; kubo: string }
}

/** The components that globalSetup started. Only for `*.system.test.ts`. */
export function components(): Components {
  return inject('components')
}
