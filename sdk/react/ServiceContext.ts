'use client'
import { createContext } from 'react'
import type { ServiceClient } from '../client/ServiceClient.js'
import type { Session } from '../client/createSession.js'
import type { SessionUser, WalletInfo } from '../types.js'

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
}

export const ServiceContext = createContext<{ session: Session; value: ServiceContextValue } | null>(null)
