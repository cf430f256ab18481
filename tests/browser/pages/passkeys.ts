import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { virtualAuthenticators } from '../../harness/authenticators.js'
import { expectAccessible, expectAccessibleEverywhere, type Opener } from '../../harness/browser/openPages.js'
import { takeCode } from '../passkeys/journey.js'
import { picture } from '../site/visits.js'
import type { Pages } from './startPages.js'

/** What passkeys look like when something fails, in memory. ../site/passkeys.ts has the whole life of one, on the real stack. */
export function describePasskeys(pages: () => Pages, { open }: Opener): void {
  /** A person who has just come back from the identity provider. */
  async function signedIn(name: string): Promise<Page> {
    const page = await open('/icon.svg')
    await page.goto(`${pages().service.url}/auth/dev?login_hint=${name}@example.test&return_to=${pages().url}/`)
    return page
  }

  test('passkeys are looked up behind a frame, and a failure leaves the wallet usable', async () => {
    const page = await signedIn('slow')
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

  test('a wallet that was made meanwhile gets no passkey before the person has chosen that', async () => {
    const page = await signedIn('linked')
    await (await virtualAuthenticators(page)).add('internal')
    await page.getByRole('button', { name: 'Create with a passkey' }).waitFor()
    await page.evaluate(`fetch('${pages().service.url}/wallet/provision', {
      method: 'POST', credentials: 'include', headers: { 'content-type': 'application/json' } })`)
    await page.getByRole('button', { name: 'Create with a passkey' }).click()
    await page.getByText('You already have a wallet, made without a passkey.').waitFor()
    await expectAccessibleEverywhere(page)
    await picture(page, 'wallet-exists')
    await page.getByRole('button', { name: 'Show this wallet' }).click()
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await takeCode(page)
    await page.getByText('This wallet got its passkey later.').waitFor()
  })

  test('a new code is shown even when nobody knows whether it became the wallet’s', async () => {
    const page = await signedIn('lost')
    await (await virtualAuthenticators(page)).add('internal')
    await page.getByRole('button', { name: 'Create with a passkey' }).click()
    const first = await takeCode(page)
    await page.route('**/wallet/owners', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    )
    await page.getByRole('button', { name: 'Replace the recovery code' }).click()
    await page.getByText('This code may not be valid yet, or at all.').waitFor()
    await picture(page, 'recovery-code-uncertain')
    expect(await takeCode(page)).not.toBe(first)
    await page.getByRole('alert').getByText('owners_uncertain').waitFor()
    await expectAccessible(page)
  })
}
