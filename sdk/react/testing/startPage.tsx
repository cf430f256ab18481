import { cleanup, renderHook, waitFor } from '@testing-library/react'
import { StrictMode, type ReactNode } from 'react'
import { expect } from 'vitest'
import { startInMemoryService } from '../../testing/index.js'
import type { ServiceClientConfig } from '../../types.js'
import { ServiceProvider } from '../ServiceProvider.js'
import { useService } from '../useService.js'
import { useServiceError } from '../useServiceError.js'
import { useSign } from '../useSign.js'
import { endFetches, muteFailedFetches } from './muteFailedFetches.js'

/** A page of the in-memory service, with the cookie jar of the DOM it runs in. */
export async function startPage(extra: Partial<ServiceClientConfig> = {}) {
  muteFailedFetches()
  const service = await startInMemoryService({ publishing: 'manual' })
  const config: ServiceClientConfig = {
    apiBaseUrl: service.url,
    chainId: service.chainId,
    rpcUrl: service.rpcUrl,
    identityProvider: 'dev',
    ...extra,
  }
  const wrapper = ({ children }: { children: ReactNode }) => (
    <ServiceProvider config={config}>{children}</ServiceProvider>
  )
  const strictWrapper = ({ children }: { children: ReactNode }) => <StrictMode>{wrapper({ children })}</StrictMode>
  return {
    service,
    config,
    wrapper,
    strictWrapper,
    /** The redirect of the identity provider sets the cookie in the page's jar, as in a browser. */
    async signIn(): Promise<void> {
      await fetch(`${service.url}/auth/dev?login_hint=ada@example.test`, { credentials: 'include' })
      service.requests.length = 0
    },
    /** Renders the hooks and waits until they are ready, and know the wallet's owners. */
    async render(wrap = wrapper) {
      const hooks = () => ({ ...useService(), ...useSign(), problem: useServiceError() })
      const view = renderHook(hooks, { wrapper: wrap })
      const isReady = () => {
        const { ready, wallet, owners, problem } = view.result.current
        expect(ready && (!wallet || owners !== null || problem !== null)).toBe(true)
      }
      await waitFor(isReady, { timeout: 10_000 }) // a busy machine takes longer than the usual second
      return view
    },
    async close(): Promise<void> {
      cleanup()
      const headers = { 'content-type': 'application/json' }
      await fetch(`${service.url}/auth/logout`, { method: 'POST', credentials: 'include', headers }).catch(
        () => undefined,
      )
      await endFetches()
      await service.close()
    },
  }
}
export type Page = Awaited<ReturnType<typeof startPage>>
