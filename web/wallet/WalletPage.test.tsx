// @vitest-environment happy-dom
import nodeConsole from 'node:console'
import { startInMemoryService, type InMemoryService } from '@perigee/sdk/testing'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endFetches } from '../../sdk/react/testing/muteFailedFetches.js'
import { ConfigContext } from '../config/ConfigContext.js'
import { WalletPage } from './WalletPage.js'

let service: InMemoryService
beforeEach(async () => {
  vi.spyOn(nodeConsole, 'error').mockReturnValue() // happy-dom prints there every answer that is an error
  service = await startInMemoryService()
  await fetch(`${service.url}/auth/dev?login_hint=ada@example.test`, { credentials: 'include' })
})
afterEach(async () => {
  cleanup()
  await endFetches()
  await service.close()
  vi.restoreAllMocks()
})

const patient = { timeout: 30_000 }
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }, patient))
const me = async () => (await fetch(`${service.url}/auth/me`, { credentials: 'include' })).status

function open() {
  const { url: apiBaseUrl, chainId, rpcUrl } = service
  const config = { apiBaseUrl, chainId, rpcUrl, identityProvider: 'dev', ipfsGatewayUrl: null, contracts: [] }
  render(
    <ConfigContext value={config as never}>
      <WalletPage />
    </ConfigContext>,
  )
}

test.each([
  ['before there is a wallet', async () => undefined],
  ['with a wallet without a passkey', () => press('Create without a passkey')],
])('a sign-out that fails says so, %s, until it has succeeded', async (_, prepare) => {
  open()
  await prepare()
  service.inject({ path: '/auth/logout', problem: { status: 503, code: 'service_unavailable' } })
  await press('Sign out')
  expect((await screen.findByRole('alert', undefined, patient)).textContent).toMatch(/You may still be signed in/)
  expect(await me()).toBe(200)
  await press('Sign out again')
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull(), patient)
  await screen.findByRole('button', { name: 'Sign in' }, patient)
  expect(await me()).toBe(401)
})

const post = (path: string) =>
  fetch(service.url + path, {
    method: 'POST',
    credentials: 'include',
    headers: { 'content-type': 'application/json' },
  })

/** Ada has a wallet open here when `meanwhile` happens in another tab, and then sends. */
async function sendAfter(meanwhile: () => Promise<unknown>): Promise<HTMLElement> {
  open()
  await press('Create without a passkey')
  const to = await screen.findByLabelText('To', undefined, patient)
  await meanwhile()
  fireEvent.change(to, { target: { value: '0x00000000000000000000000000000000000000aa' } })
  fireEvent.change(screen.getByLabelText('Amount in ETH'), { target: { value: '0' } })
  await press('Sign and send')
  return screen.findByRole('alert', undefined, patient)
}

test('somebody who has signed out in another tab is told so, and can sign in again', async () => {
  const goTo = vi.spyOn(window.location, 'assign').mockReturnValue()
  const alert = await sendAfter(() => post('/auth/logout'))
  expect(alert.textContent).toMatch(/^You are signed out\./)
  await press('Sign in again')
  expect(goTo).toHaveBeenCalledWith(expect.stringContaining(`${service.url}/auth/dev?`))
})

test.each([
  ['with a wallet', 'account_changed', () => post('/wallet/provision')],
  ['without a wallet', 'wallet_not_found', async () => undefined],
])('where somebody else %s has signed in in another tab, the page can show them', async (_, code, prepare) => {
  const alert = await sendAfter(async () => {
    await fetch(`${service.url}/auth/dev?login_hint=bob@example.test`, { credentials: 'include' })
    await prepare()
  })
  expect(alert.textContent).toContain(code)
  expect(alert.textContent).not.toMatch(/provision/i) // what an application would do about it
  await press('Show who is signed in')
  await screen.findByText('bob@example.test', undefined, patient)
  expect(screen.queryByRole('alert')).toBeNull()
})

test('an error of the service is shown as a sentence', async () => {
  const fault = { status: 422, code: 'insufficient_funds', detail: 'the wallet cannot pay' }
  const alert = await sendAfter(async () => service.inject({ path: '/sign/digest', problem: fault }))
  expect(alert.textContent).toMatch(/^The wallet cannot pay\. /)
})
