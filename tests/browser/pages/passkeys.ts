import { expect, test } from 'vitest'
import { darkPhone, desktop, expectAccessible, type Opener } from '../../harness/openPages.js'
import { livePasskeyLife, upgradeWallet } from '../passkeys/journey.js'
import { picture } from '../site/visits.js'
import type { Pages } from './startPages.js'

/** The demo with passkeys, in memory: everything but the enclave. */
export function describePasskeys(pages: () => Pages, { open }: Opener): void {
  const signedIn = async (email: string, options = desktop as object) => {
    const page = await open('/icon.svg', options)
    await page.goto(`${pages().service.url}/auth/dev?login_hint=${email}&return_to=${pages().url}/`)
    return page
  }

  test('a person makes a wallet with a passkey, declines, adds and removes devices, and recovers it', async () => {
    const page = await signedIn('passkey@example.test', darkPhone)
    const slug = await livePasskeyLife(page)
    await pages().service.complete(slug)
    await page.goto(`${pages().url}/p/${slug}`)
    await page.getByText(`The holder of a passkey on ${pages().url} approved exactly this transaction`).waitFor()
    await expectAccessible(page)
    await picture(page, 'authorised-by', '#facts-title')
  })

  test('a wallet made without a passkey gets one later, and says why that is weaker', async () => {
    const page = await signedIn('upgrade@example.test')
    const slug = await upgradeWallet(page)
    await pages().service.complete(slug)
    await page.goto(`${pages().url}/p/${slug}`)
    await page.getByText('got one later').waitFor()
  })

  test('passkeys are looked up behind a frame, and a failure leaves the wallet usable', async () => {
    const page = await signedIn('slow@example.test')
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
