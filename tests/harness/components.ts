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

let provided: Components | undefined

/** For a program that is not a test and has started the components itself: a benchmark. */
export function provideComponents(components: Components): void {
  provided = components
}

/** The components that globalSetup started. Only for `*.system.test.ts`. */
export function components(): Components {
  return provided ?? inject('components')
}
