'use client'
import { useEffect, useMemo, useSyncExternalStore, type ReactNode } from 'react'
import { ServiceClient } from '../client/ServiceClient.js'
import { createSession } from '../client/createSession.js'
import type { ServiceClientConfig } from '../types.js'
import { ServiceContext, type ServiceContextValue } from './ServiceContext.js'

/** What `ServiceProvider` takes. */
export interface ServiceProviderProps {
  /** Keep it stable: a change of `apiBaseUrl` or `chainId` builds a new client, other changes do nothing. */
  config: ServiceClientConfig
  children?: ReactNode
}

/** Makes the client and the signed-in person available to the hooks below it. */
export function ServiceProvider({ config, children }: ServiceProviderProps) {
  const session = useMemo(
    () => createSession(new ServiceClient(config)),
    // By the spec, only these two rebuild the client.
    [config.apiBaseUrl, config.chainId],
  )
  const state = useSyncExternalStore(session.subscribe, session.get, session.get)
  useEffect(() => session.start(), [session])
  const context = useMemo(() => {
    const { client, refresh, login, logout } = session
    const { user, wallet, owners, ready } = state
    const { enrol, addDevice, removeDevice, addRecovery, recover } = client.owners
    const value: ServiceContextValue = {
      client,
      user,
      wallet,
      ready,
      refresh,
      login,
      logout,
      owners,
      enrol,
      addDevice,
      removeDevice,
      addRecovery,
      recover,
    }
    return { session, value }
  }, [session, state])
  return <ServiceContext.Provider value={context}>{children}</ServiceContext.Provider>
}
