'use client'
import { createContext } from 'react'
import type { ServiceClient } from '../client/ServiceClient.js'
import type { Owners } from '../client/createOwners.js'
import type { Session } from '../client/createSession.js'
import type { SessionUser, WalletInfo, WalletOwners } from '../types.js'

/** What `useService` returns. May grow; the named hooks are the stable contracts. */
export interface ServiceContextValue {
  client: ServiceClient
  /** Null until signed in. */
  user: SessionUser | null
  /** Null until provisioning resolves. */
  wallet: WalletInfo | null
  /** True once the first fetch cycle has settled, whatever its outcome. */
  ready: boolean
  /** Re-runs the fetch cycle. A 401 yields `user: null`; other failures reject. */
  refresh: () => Promise<void>
  /** Leaves the page for the identity provider; component state is lost. */
  login: () => void
  /** Ends the session. Local state is cleared even when the request fails, and the failure is then thrown. */
  logout: () => Promise<void>
  /** Who may authorise for the wallet. Null until known; its own `owners` is null for a wallet without passkeys. */
  owners: WalletOwners | null
  /** Makes a passkey and, with it, the wallet; a wallet without owners is claimed, if `claim` allows. Show the recovery code it returns. */
  enrol: Owners['enrol']
  /** Adds a passkey: the new one and an old one sign. */
  addDevice: Owners['addDevice']
  /** Removes a passkey, named by its public key: one that stays must agree. */
  removeDevice: Owners['removeDevice']
  /** Gives the wallet a new recovery code. Show it. */
  addRecovery: Owners['addRecovery']
  /** With the recovery code, a new passkey takes the place of all earlier ones. Show the new code. */
  recover: Owners['recover']
}

export const ServiceContext = createContext<{ session: Session; value: ServiceContextValue } | null>(null)
