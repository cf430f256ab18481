import type { ReactNode } from 'react'
import {
  ServiceProvider,
  useAttestation,
  useService,
  useServiceError,
  useSign,
  type ServiceClientConfig,
} from '@perigee/sdk'
import { createFaultyProxy } from '../rigs/servers/createFaultyProxy.js'
import type { Site } from '../browser/site/startSite.js'
import { Browser } from '../../api/testing/Browser.js'
import { signIn } from '../../dev/signIn.js'
import { fund as fundAt } from '../../dev/stack/fund.js'
import { openPage, type TestPage } from './openPage.js'

export const to = '0x00000000000000000000000000000000000000aa'

export type Rig = Awaited<ReturnType<typeof startRig>>

/** The real service and chain, and a page whose hooks talk to them. */
export async function startRig(site: Site) {
  const { stack } = site
  const api = await createFaultyProxy(stack.apiUrl)
  // `localhost`, as the page's own host: a cookie belongs to a host, whatever the port.
  const apiBaseUrl = api.url.replace('127.0.0.1', 'localhost')
  const rpcUrl = stack.rpcUrl.replace('127.0.0.1', 'localhost')
  const config: ServiceClientConfig = { apiBaseUrl, chainId: stack.chainId, rpcUrl, identityProvider: 'dev' }
  const nodeFetch = globalThis.fetch
  const page = await openPage(`${site.url}/`, nodeFetch)
  const wrapper = ({ children }: { children: ReactNode }) => (
    <ServiceProvider config={config}>{children}</ServiceProvider>
  )
  const fund = (address: string) => fundAt(address as `0x${string}`, '10', stack.rpcUrl)

  /** Every hook in one component, under a provider; resolves when it is ready. */
  async function mount() {
    const everything = () => ({ ...useService(), ...useSign(), problem: useServiceError() })
    const view = page.renderHook(everything, { wrapper })
    await page.waitFor(() => isTrue(view.result.current.ready), { timeout: 180_000 })
    return view
  }

  return {
    site,
    page,
    /** Between the page and the API. */
    api,
    config,
    async signIn(email: string) {
      const paged = globalThis.fetch
      globalThis.fetch = nodeFetch // a full-page redirect is no request of the page's scripts
      const browser = await signIn(stack.apiUrl, email, `${site.url}/`).finally(() => (globalThis.fetch = paged))
      page.useCookiesOf(browser)
      page.forget()
      return browser
    },
    signOut: () => page.useCookiesOf(new Browser()),
    mount,
    watch: (slug: string | null | undefined) => watchProof(page, wrapper, slug),
    fund,
    /** Sends without waiting for anything but the result. */
    async send() {
      const { result, unmount } = await mount()
      await fund(result.current.wallet?.address ?? '')
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
}

type Wrapper = (props: { children: ReactNode }) => ReactNode

function watchProof(page: TestPage, wrapper: Wrapper, slug: string | null | undefined) {
  const initialProps = { slug }
  return page.renderHook(({ slug }: typeof initialProps) => useAttestation(slug), { wrapper, initialProps })
}

/** For `waitFor`, which waits until nothing is thrown. */
export function isTrue(value: unknown): void {
  if (value !== true) throw new Error('not yet')
}
