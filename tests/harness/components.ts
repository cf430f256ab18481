import { inject } from 'vitest'
import type { Address, Hex } from 'viem'
import type { ServerAddresses } from '../../dev/stack/servers.js'

/** Where the shared components are, and the keys of their chain. */
export interface Components extends ServerAddresses {
  contractAddress: Address
  releasesAddress: Address
  /** May add publishers; tests use `freshPublisher()` instead, so that no two share a nonce. */
  contractOwnerKey: Hex
  programs: { temporal: string; kubo: string }
}

let provided: Components | null = null

/** For a benchmark or a test that has started components itself. Null: those that are shared again. */
export function provideComponents(components: Components | null): void {
  provided = components
}

/** The components that globalSetup started. Only for `*.system.test.ts`. */
export function components(): Components {
  return provided ?? inject('components')
}
