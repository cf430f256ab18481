import { expect, test } from 'vitest'
import { expectAccessible, type Opener } from '../../harness/openPages.js'
import type { Pages } from './startPages.js'

/** What passkeys look like when something fails, in memory. ../site/passkeys.ts has the whole life of one, on the real stack. */
export function describePasskeys(pages: () => Pages, { open }: Opener): void {
  test('passkeys are looked up behind a frame, and a failure leaves the wallet usable', async () => {
    const page = await open('/icon.svg')
    await page.goto(`${pages().service.url}/auth/dev?login_hint=slow@example.test&return_to=${pages().url}/`)
    await page.getByRole('button', { name: 'Create without a passkey' }).click()
    await page.getByText('This wallet has no passkey').waitFor()
    pages().service.inject({ path: '/wallet/owners', delayMs: 1500, times: 2 })
    await page.reload()
    await page.getByText('Looking up the passkeys…').waitFor()
    await expectAccessible(page)
    await page.getByText('This wallet has no passkey').waitFor()
    expect(await page.getByRole('button', { name: 'Sign and send' }).isEnabled()).toBe(true)
  })

  test('a browser without passkeys is told so, and the wallet without one still works', async () => {
    const page = await open('/icon.svg')
    await page.addInitScript('delete window.PublicKeyCredential')
    await page.goto(`${pages().service.url}/auth/dev?login_hint=old@example.test&return_to=${pages().url}/`)
    await page.getByRole('button', { name: 'Create with a passkey' }).click()
    await page.getByRole('alert').getByText('passkey_unsupported').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Create without a passkey' }).click()
    await page.getByRole('heading', { name: 'Send', exact: true }).waitFor()
  })
}
