// @vitest-environment happy-dom
import nodeConsole from 'node:console'
import { startInMemoryService, type InMemoryService } from '@perigee/sdk/testing'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
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
  vi.restoreAllMocks()
  await service.close()
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
