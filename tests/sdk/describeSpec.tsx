import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { ServiceClient, ServiceProvider, useService, type ServiceClientConfig } from '@perigee/sdk'
import { isTrue, startRig, type Rig } from './rig.js'
import { describePolling } from './describePolling.js'
import { describeSending } from './describeSending.js'
import type { Site } from '../browser/site/startSite.js'

/**
 * The spec's sentences about the SDK, against the real API, worker, enclave program, IPFS node and chain. sdk/SPEC.md
 * lists which test shows which sentence.
 */
export function describeSpec(site: () => Site): void {
  describe('the spec', () => {
    let rig: Rig
    beforeAll(async () => {
      rig = await startRig(site())
    })
    afterAll(() => rig?.close())
    afterEach(() => {
      rig.page.cleanup()
      rig.api.set('none')
      rig.site.ipfs.set('none')
      process.kill(rig.site.stack.processes['kubo'] as number, 'SIGCONT') // also after a test that failed half-way
    })

    describe('signing in', () => {
      test('is a full-page redirect that returns with an httpOnly session cookie on the origin of the service', async () => {
        const { result } = await rig.mount()
        const assign = vi.spyOn(rig.page.window.location, 'assign').mockImplementation(() => undefined)
        result.current.login()
        const start = String(assign.mock.calls[0]?.[0])
        assign.mockRestore()
        expect(start).toBe(`${rig.config.apiBaseUrl}/auth/dev?return_to=${encodeURIComponent(`${rig.site.url}/`)}`)
        const answer = await fetch(start, { redirect: 'manual' })
        expect(answer.status).toBe(302)
        const browser = await rig.signIn('ada@example.test')
        expect(browser.lines.filter((line) => /; HttpOnly/i.test(line) && /; SameSite=Lax/i.test(line))).not.toEqual([])
        expect(browser.lines.filter((line) => !/; HttpOnly/i.test(line))).toEqual([])
        await rig.page.act(() => result.current.refresh())
        expect(result.current.user?.email).toBe('ada@example.test')
        expect(rig.page.window.document.cookie).toBe('')
      })

      test('an origin that is not on the allow-list is refused, and told apart', async () => {
        rig.page.useOrigin('http://elsewhere.example')
        await expect(new ServiceClient(rig.config).api.me()).rejects.toMatchObject({
          code: 'network_error',
          status: null,
        })
        rig.page.useOrigin(new URL(rig.site.url).origin)
      })
    })

    describe('the provider', () => {
      test('on mount looks up the person, then the wallet, and provisions one on 404; user comes before wallet', async () => {
        const enclave = rig.site.stack.processes['enclave'] as number
        process.kill(enclave, 'SIGSTOP') // so that sign-in cannot have made the wallet yet
        let view
        try {
          await rig.signIn('first@example.test')
          view = rig.page.renderHook(() => useService(), {
            wrapper: ({ children }) => <ServiceProvider config={rig.config}>{children}</ServiceProvider>,
          })
          await rig.page.waitFor(() => isTrue(rig.page.lines().includes('POST /wallet/provision')), {
            timeout: 180_000,
          })
          expect(rig.page.lines()).toEqual(['GET /auth/me', 'GET /wallet/me', 'POST /wallet/provision'])
          expect(rig.page.calls[1]?.status).toBe(404)
          expect(view.result.current).toMatchObject({
            user: { email: 'first@example.test' },
            wallet: null,
            ready: false,
          })
        } finally {
          process.kill(enclave, 'SIGCONT')
        }
        const { result } = view
        await rig.page.waitFor(() => isTrue(result.current.ready), { timeout: 180_000 })
        expect(Object.keys(result.current.user ?? {}).sort()).toEqual(['email', 'id', 'name'])
        expect(result.current.user?.id).toMatch(/^[0-9a-f-]{36}$/)
        const { wallet } = result.current
        expect(Object.keys(wallet ?? {}).sort()).toEqual(['address', 'createdAt', 'provenance'])
        expect(Object.keys(wallet?.provenance ?? {}).sort()).toEqual(['entropyHash', 'entropySig', 'satelliteSource'])
        expect(new Date(wallet?.createdAt ?? '').toISOString()).toBe(wallet?.createdAt)
        // Idempotent, also all at once; the provenance never changes.
        const { api } = result.current.client
        for (const again of await Promise.all([1, 2, 3].map(() => api.provisionWallet()))) expect(again).toEqual(wallet)
      })

      test('is ready with user null on 401 and asks for no wallet; refresh does not reject on 401', async () => {
        rig.signOut()
        rig.page.forget()
        const { result } = await rig.mount()
        expect(result.current).toMatchObject({ user: null, wallet: null, ready: true })
        expect(rig.page.lines()).toEqual(['GET /auth/me'])
        await rig.page.act(() => result.current.refresh())
        expect(result.current.user).toBeNull()
        await expect(result.current.client.api.me()).rejects.toMatchObject({ code: 'not_signed_in', status: 401 })
      })

      test('is ready whatever the outcome, also when the service cannot be reached', async () => {
        rig.api.set('down')
        const { result } = await rig.mount()
        expect(result.current).toMatchObject({ user: null, ready: true, problem: { code: 'network_error' } })
      })

      test('never refreshes on focus, storage or visibility, nor by itself', async () => {
        await rig.signIn('ada@example.test')
        await rig.mount()
        const before = rig.page.calls.length
        const { window } = rig.page
        for (const type of ['focus', 'storage', 'online', 'pageshow']) window.dispatchEvent(new window.Event(type))
        window.document.dispatchEvent(new window.Event('visibilitychange'))
        await new Promise((resolve) => setTimeout(resolve, 1500))
        expect(rig.page.calls.length).toBe(before)
      })

      test('keeps its client unless apiBaseUrl or chainId change, and strips trailing slashes', async () => {
        const clients: ServiceClient[] = []
        const Probe = () => {
          clients.push(useService().client)
          return null
        }
        const tree = (extra: Partial<ServiceClientConfig>) => (
          <ServiceProvider config={{ ...rig.config, ...extra }}>
            <Probe />
          </ServiceProvider>
        )
        const view = rig.page.render(tree({}))
        view.rerender(tree({ rpcUrl: 'http://localhost:1', identityProvider: 'google' }))
        expect(new Set(clients).size).toBe(1)
        view.rerender(tree({ chainId: 11155111 }))
        view.rerender(tree({ chainId: 11155111, apiBaseUrl: `${rig.config.apiBaseUrl}//` }))
        expect(new Set(clients).size).toBe(3)
        expect(clients.at(-1)?.apiBaseUrl).toBe(rig.config.apiBaseUrl)
        await rig.page.waitFor(() => isTrue(rig.page.calls.every(({ endedAt }) => endedAt !== null)))
        expect(rig.page.lines().filter((line) => line.includes('//'))).toEqual([])
      })

      test('useService outside of it throws the exact sentence', () => {
        const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
        const message = 'useService must be used inside <ServiceProvider>'
        expect(() => rig.page.renderHook(() => useService())).toThrow(new Error(message))
        log.mockRestore()
      })

      test('logout ends the session and clears the state, and clears it when the request fails too', async () => {
        await rig.signIn('ada@example.test')
        const { result } = await rig.mount()
        rig.api.set('down')
        await rig.page.act(async () => {
          await expect(result.current.logout()).rejects.toMatchObject({ code: 'network_error' })
        })
        expect(result.current).toMatchObject({ user: null, wallet: null })
        rig.api.set('none')
        await rig.page.act(() => result.current.refresh())
        expect(result.current.user).not.toBeNull() // the service was not reached: it still knows the session
        await rig.page.act(() => result.current.logout())
        expect(result.current).toMatchObject({ user: null, wallet: null, ready: true })
        await rig.page.act(() => result.current.refresh())
        expect(result.current.user).toBeNull()
      })
    })

    describeSending(() => rig)
    describePolling(() => rig)
  })
}
