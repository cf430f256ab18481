// @vitest-environment happy-dom
import { act, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createSoftAuthenticators, type SoftAuthenticators } from '../passkeys/testing/createSoftAuthenticators.js'
import type { ServiceClientConfig } from '../types.js'
import { startPage, type Page } from './testing/startPage.js'

const to = '0x00000000000000000000000000000000000000aa'
let page: Page
let authenticators: SoftAuthenticators
beforeEach(() => {
  authenticators = createSoftAuthenticators(window.location.origin)
  Object.defineProperty(window.navigator, 'credentials', { configurable: true, value: authenticators.credentials })
  vi.stubGlobal('PublicKeyCredential', function PublicKeyCredential() {})
})
afterEach(async () => {
  vi.unstubAllGlobals()
  await page.close()
})

async function open(extra?: Partial<ServiceClientConfig>) {
  page = await startPage(extra)
  await page.signIn()
  return page.render()
}

test('with required there is no wallet until enrol has made a passkey and the wallet with it', async () => {
  const { result } = await open({ authorisation: 'required' })
  expect(result.current).toMatchObject({ user: { email: 'ada@example.test' }, wallet: null, owners: null, ready: true })
  expect(page.service.requests).toEqual(['GET /auth/me', 'GET /wallet/me'])
  const { recoveryCode } = await act(() => result.current.enrol({ label: 'This laptop' }))
  expect(recoveryCode).toMatch(/^.{4}(?:-.{3,4}){6}$/)
  expect(result.current.wallet?.address).toBe(result.current.owners?.address)
  expect(result.current.owners).toMatchObject({ since: 'creation', credentials: [{ label: 'This laptop' }] })
})

test('the code of a new wallet is returned even when the page cannot be brought up to date', async () => {
  const { result } = await open({ authorisation: 'required' })
  page.service.inject({ path: '/wallet/me', problem: { status: 500, code: 'internal_error' } })
  const { recoveryCode } = await act(() => result.current.enrol())
  expect(recoveryCode).toHaveLength(33)
  expect(result.current.problem).toMatchObject({ code: 'internal_error' })
  await act(() => result.current.refresh())
  expect(result.current).toMatchObject({ problem: null, wallet: {}, owners: { since: 'creation' } })
})

test('with required a wallet without a passkey does not count until it is claimed', async () => {
  page = await startPage({ authorisation: 'required' })
  await page.signIn()
  await fetch(`${page.service.url}/wallet/provision`, {
    method: 'POST',
    credentials: 'include',
    headers: { 'content-type': 'application/json' },
  })
  const { result } = await page.render()
  expect(result.current).toMatchObject({ wallet: null, owners: { owners: null } })
  await act(() => expect(result.current.enrol()).rejects.toMatchObject({ code: 'wallet_exists' }))
  await act(() => result.current.enrol({ claim: true }))
  expect(result.current).toMatchObject({ wallet: {}, owners: { since: 'upgrade' } })
})

test('pending covers the prompt, which a wallet with owners shows, and error says that it was declined', async () => {
  const { result } = await open()
  expect(result.current.owners).toMatchObject({ owners: null, since: null })
  await act(() => result.current.enrol())
  page.service.setBalance(result.current.wallet?.address ?? '', 10n ** 18n)
  const prompts: (() => void)[] = []
  const { get } = authenticators.credentials
  authenticators.credentials.get = async (options) => {
    await new Promise<void>((resolve) => prompts.push(resolve))
    return get(options)
  }
  const steps: string[] = []
  let sent: Promise<unknown> = Promise.resolve()
  act(() => void (sent = result.current.signAndSend({ to }, { onProgress: ({ step }) => steps.push(step) })))
  await waitFor(() => expect(prompts).toHaveLength(1), { timeout: 30_000 }) // the code for passkeys is loaded first
  expect(steps.at(-1)).toBe('authorising')
  expect(result.current.pending).toBe(true)
  prompts[0]?.()
  await act(() => sent)
  expect(result.current).toMatchObject({ pending: false, error: null })
  authenticators.device().declines = true
  authenticators.credentials.get = get
  await act(() => result.current.signAndSend({ to }).catch(() => undefined))
  expect(result.current.error).toMatchObject({ code: 'authorisation_declined' })
})

test('owners follow what is done: a device more, a device less, a new code, recovered', async () => {
  const { result } = await open()
  await act(() => result.current.enrol({ label: 'Laptop' }))
  const laptop = authenticators.device()
  authenticators.use(authenticators.addDevice(), laptop)
  await act(() => result.current.addDevice({ label: 'Phone' }))
  expect(result.current.owners?.credentials).toHaveLength(2)
  const old = result.current.owners?.credentials.find(({ label }) => label === 'Laptop')?.publicKey ?? '0x'
  await act(() => result.current.removeDevice(old))
  expect(result.current.owners?.credentials.map(({ label }) => label)).toEqual(['Phone'])
  const { recoveryCode } = await act(() => result.current.addRecovery())
  authenticators.use(authenticators.addDevice())
  await act(() => result.current.recover(recoveryCode ?? '', { label: 'New' }))
  expect(result.current.owners?.credentials.map(({ label }) => label)).toEqual(['New'])
})
