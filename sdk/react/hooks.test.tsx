// @vitest-environment happy-dom
import { act, cleanup, render, renderHook, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { InMemoryService } from '../testing/index.js'
import type { ServiceClientConfig } from '../types.js'
import { ServiceProvider } from './ServiceProvider.js'
import { startPage, type Page } from './testing/startPage.js'
import { useService } from './useService.js'
import { useSign } from './useSign.js'
import { useWallet } from './useWallet.js'

let page: Page
let service: InMemoryService
beforeEach(async () => {
  page = await startPage()
  service = page.service
})
afterEach(() => page.close())

describe('ServiceProvider', () => {
  test('on mount looks the person up, then the wallet, and provisions one on 404', async () => {
    await page.signIn()
    const { result } = await page.render()
    expect(service.requests).toEqual(['GET /auth/me', 'GET /wallet/me', 'POST /wallet/provision', 'GET /wallet/owners'])
    expect(result.current.user?.email).toBe('ada@example.test')
    expect(result.current.wallet?.address).toMatch(/^0x[0-9a-fA-F]{40}$/)
  })
  test('does not provision when there is a wallet already', async () => {
    await page.signIn()
    await page.render()
    cleanup()
    service.requests.length = 0
    await page.render()
    expect(service.requests).toEqual(['GET /auth/me', 'GET /wallet/me', 'GET /wallet/owners'])
  })
  test('is ready with user null when nobody is signed in, and asks for no wallet', async () => {
    const { result } = await page.render()
    expect(result.current.user).toBeNull()
    expect(result.current.wallet).toBeNull()
    expect(service.requests).toEqual(['GET /auth/me'])
  })
  test('is ready also when the service fails, and says why', async () => {
    service.inject({ path: '/auth/me', problem: { status: 500, code: 'internal_error' } })
    const { result } = await page.render()
    expect(result.current.user).toBeNull()
    expect(result.current.problem?.code).toBe('internal_error')
  })
  test('shows the person before the wallet is there', async () => {
    await page.signIn()
    service.inject({ path: '/wallet/provision', delayMs: 100 })
    const { result } = renderHook(() => useService(), { wrapper: page.wrapper })
    await waitFor(() => expect(result.current.user).not.toBeNull())
    expect(result.current).toMatchObject({ wallet: null, ready: false })
    await waitFor(() => expect(result.current.wallet).not.toBeNull())
    expect(result.current.ready).toBe(true)
  })
  test('keeps the client while apiBaseUrl and chainId stay, whatever else changes', async () => {
    const clients = new Set<unknown>()
    function Probe() {
      clients.add(useService().client)
      return null
    }
    const tree = (extra: Partial<ServiceClientConfig>) => (
      <ServiceProvider config={{ ...page.config, ...extra }}>
        <Probe />
      </ServiceProvider>
    )
    const view = render(tree({}))
    view.rerender(tree({ rpcUrl: 'http://localhost:1/other' }))
    view.rerender(tree({ identityProvider: 'google' }))
    expect(clients.size).toBe(1)
    view.rerender(tree({ chainId: 5 }))
    expect(clients.size).toBe(2)
    view.rerender(tree({ chainId: 5, apiBaseUrl: `${service.url}/` }))
    expect(clients.size).toBe(3)
  })
  test('never refreshes on focus, storage, visibility or with time', async () => {
    await page.signIn()
    await page.render()
    const before = service.requests.length
    for (const type of ['focus', 'storage', 'online', 'pageshow']) window.dispatchEvent(new Event(type))
    document.dispatchEvent(new Event('visibilitychange'))
    vi.useFakeTimers()
    await vi.advanceTimersByTimeAsync(10 * 60_000)
    vi.useRealTimers()
    expect(service.requests.length).toBe(before)
  })
  test('works under StrictMode, where effects run twice, with one wallet', async () => {
    await page.signIn()
    const { result } = await page.render(page.strictWrapper)
    await waitFor(() => expect(result.current.wallet).not.toBeNull())
    const stored = await result.current.client.api.getWallet()
    expect(result.current.wallet).toEqual(stored)
  })
  test('an unmount stops the cycle in flight', async () => {
    await page.signIn()
    service.inject({ path: '/auth/me', delayMs: 50 })
    const { unmount } = renderHook(() => useService(), { wrapper: page.wrapper })
    unmount()
    await new Promise((resolve) => setTimeout(resolve, 120))
    expect(service.requests).not.toContain('GET /wallet/me')
  })
})

describe('useService', () => {
  test('throws the exact sentence outside the provider', () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const message = 'useService must be used inside <ServiceProvider>'
    expect(() => renderHook(() => useService())).toThrow(message)
    expect(() => renderHook(() => useSign())).toThrow(message)
    log.mockRestore()
  })
  test('returns exactly the documented members', async () => {
    const { result } = renderHook(() => [useService(), useWallet(), useSign()] as const, { wrapper: page.wrapper })
    await waitFor(() => expect(result.current[0].ready).toBe(true))
    const [all, wallet, sign] = result.current.map((value) => Object.keys(value).sort())
    const passkeys = ['addDevice', 'addRecovery', 'enrol', 'owners', 'recover', 'removeDevice']
    expect(all).toEqual(['client', 'login', 'logout', 'ready', 'refresh', 'user', 'wallet', ...passkeys].sort())
    expect(wallet).toEqual(['login', 'logout', 'ready', 'refresh', 'user', 'wallet'])
    expect(sign).toEqual(['error', 'lastResult', 'pending', 'signAndSend'])
  })
  test('login leaves the page for the start URL of the service', async () => {
    const { result } = await page.render()
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined)
    act(() => result.current.login())
    const returnTo = encodeURIComponent(window.location.href)
    expect(assign).toHaveBeenCalledWith(`${service.url}/auth/dev?return_to=${returnTo}`)
    assign.mockRestore()
  })
  test('logout ends the session and clears person and wallet', async () => {
    await page.signIn()
    const { result } = await page.render()
    await act(() => result.current.logout())
    expect(result.current).toMatchObject({ user: null, wallet: null, ready: true })
    await act(() => result.current.refresh())
    expect(result.current.user).toBeNull()
  })
  test('logout clears local state even when the request fails, and the failure is thrown', async () => {
    await page.signIn()
    const { result } = await page.render()
    service.inject({ path: '/auth/logout', problem: { status: 500, code: 'internal_error' } })
    await act(async () => {
      await expect(result.current.logout()).rejects.toMatchObject({ code: 'internal_error' })
    })
    expect(result.current).toMatchObject({ user: null, wallet: null })
  })
  test('an answer still in flight does not sign a person in again after logout', async () => {
    await page.signIn()
    const { result } = await page.render()
    service.inject({ path: '/auth/me', delayMs: 80 })
    await act(async () => {
      const late = result.current.refresh()
      await result.current.logout()
      await late
    })
    expect(result.current.user).toBeNull()
  })
  test('refresh runs the cycle again and does not reject on 401', async () => {
    const { result } = await page.render()
    await act(() => result.current.refresh())
    expect(result.current.user).toBeNull()
    await page.signIn()
    await act(() => result.current.refresh())
    expect(result.current.user?.email).toBe('ada@example.test')
    expect(result.current.wallet).not.toBeNull()
  })
  test.each(['/wallet/me', '/wallet/owners'])(
    'a session that ends before %s yields user null, and refresh does not reject',
    async (path) => {
      await page.signIn()
      const { result } = await page.render()
      service.inject({ path, problem: { status: 401, code: 'not_signed_in' } })
      await act(() => result.current.refresh())
      expect(result.current).toMatchObject({ user: null, wallet: null, ready: true, problem: null })
    },
  )
  test('refresh keeps the person when the service fails, and rejects', async () => {
    await page.signIn()
    const { result } = await page.render()
    service.inject({ path: '/auth/me', problem: { status: 500, code: 'internal_error' } })
    await act(async () => {
      await expect(result.current.refresh()).rejects.toMatchObject({ code: 'internal_error' })
    })
    expect(result.current.user).not.toBeNull()
    expect(result.current.problem?.code).toBe('internal_error')
  })
})
