import type { ReactNode } from 'react'
import { createTestClient, http, parseEther } from 'viem'
import { foundry } from 'viem/chains'
import {
  ServiceProvider,
  useAttestation,
  useService,
  useServiceError,
  useSign,
  type ServiceClientConfig,
  type SignResult,
} from '@perigee/sdk'
import { createFaultyProxy, type FaultyProxy } from '../rigs/servers/createFaultyProxy.js'
import type { Site } from '../browser/site/startSite.js'
import { CookieJar, signIn } from '../../dev/signIn.js'
import { openPage, type TestPage } from './openPage.js'

export const to = '0x00000000000000000000000000000000000000aa'

/** The real service and chain, and a page whose hooks talk to them. */
export interface Rig {
  site: Site
  page: TestPage
  /** Between the page and the API. */
  api: FaultyProxy
  config: ServiceClientConfig
  signIn(email: string): Promise<CookieJar>
  signOut(): void
  /** Every hook in one component, under a provider; resolves when it is ready. */
  mount(): Promise<{ result: { current: Everything }; unmount: () => void }>
  watch(slug: string | null | undefined): ReturnType<typeof watchProof>
  fund(address: string): Promise<void>
  /** Sends without waiting for anything but the result. */
  send(): Promise<SignResult>
  close(): Promise<void>
}

export type Everything = ReturnType<typeof useService> & ReturnType<typeof useSign> & { problem: unknown }

export async function startRig(site: Site): Promise<Rig> {
  const { stack } = site
  const api = await createFaultyProxy(stack.apiUrl)
  // `localhost`, as the page's own host: a cookie belongs to a host, whatever the port.
  const apiBaseUrl = api.url.replace('127.0.0.1', 'localhost')
  const rpcUrl = stack.rpcUrl.replace('127.0.0.1', 'localhost')
  const config = { apiBaseUrl, chainId: stack.chainId, rpcUrl, identityProvider: 'dev' }
  const nodeFetch = globalThis.fetch
  const page = await openPage(`${site.url}/`, nodeFetch)
  const anvil = createTestClient({ mode: 'anvil', chain: foundry, transport: http(stack.rpcUrl) })
  const wrapper = ({ children }: { children: ReactNode }) => (
    <ServiceProvider config={config}>{children}</ServiceProvider>
  )
  const rig: Rig = {
    site,
    page,
    api,
    config,
    async signIn(email) {
      const paged = globalThis.fetch
      globalThis.fetch = nodeFetch // a full-page redirect is no request of the page's scripts
      const jar = await signIn(stack.apiUrl, email, `${site.url}/`).finally(() => (globalThis.fetch = paged))
      page.useCookies(jar)
      page.forget()
      return jar
    },
    signOut: () => page.useCookies(new CookieJar()),
    async mount() {
      const everything = () => ({ ...useService(), ...useSign(), problem: useServiceError() })
      const view = page.renderHook(everything, { wrapper })
      await page.waitFor(() => isTrue(view.result.current.ready), { timeout: 180_000 })
      return view
    },
    watch: (slug) => watchProof(page, wrapper, slug),
    fund: (address) => anvil.setBalance({ address: address as `0x${string}`, value: parseEther('10') }),
    async send() {
      const { result, unmount } = await rig.mount()
      await rig.fund(result.current.wallet?.address ?? '')
      const sent = await page.act(() => result.current.signAndSend({ to, value: 1n }))
      unmount()
      return sent
    },
    async close() {
      page.cleanup()
      page.close()
      await api.close()
    },
  }
  return rig
}

function watchProof(page: TestPage, wrapper: (props: { children: ReactNode }) => ReactNode, slug: unknown) {
  const initialProps = { slug: slug as string | null | undefined }
  return page.renderHook(({ slug }: typeof initialProps) => useAttestation(slug), { wrapper, initialProps })
}

/** For `waitFor`, which waits until nothing is thrown. */
export function isTrue(value: unknown): void {
  if (value !== true) throw new Error('not yet')
}
