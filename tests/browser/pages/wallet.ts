import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { darkPhone, expectAccessible, type Opener } from '../../harness/browser/openPages.js'
import { chooseWithout } from '../passkeys/journey.js'
import { picture } from '../site/visits.js'
import type { Pages } from './startPages.js'

const to = '0x00000000000000000000000000000000000000aa'

/** The wallet, on a service that can be made to fail on command. */
export function describeWallet(pages: () => Pages, { open }: Opener): void {
  async function signedIn(options?: BrowserContextOptions): Promise<Page> {
    const page = await open('/', options)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await chooseWithout(page)
    return page
  }

  test('a newcomer signs in, takes test ether, sends, follows the proof and signs out', async () => {
    const page = await signedIn()
    await page.getByText('Nothing yet.').waitFor()
    await page.getByRole('button', { name: 'Get 1 test ETH' }).click()
    await page.locator('.balance', { hasText: /^1 ETH/ }).waitFor()
    await page.getByLabel('To', { exact: true }).fill(to)
    await page.getByLabel('Amount in ETH').fill('0.25')
    await page.getByRole('button', { name: 'Sign and send' }).click()
    await page.getByText('Stored on IPFS (in progress)').waitFor()
    const link = page.getByRole('link', { name: 'Open the proof page' })
    const slug = (await link.getAttribute('href'))?.split('/').at(-1) ?? ''
    await pages().service.complete(slug)
    await page.getByText('Published on the chain (done)').waitFor()
    await page.locator('.history .chip', { hasText: 'complete' }).waitFor()
    await expectAccessible(page)
    await page.reload()
    await page.locator('.history', { hasText: '0.25 ETH' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
  })

  test('the wallet works with the keyboard alone, and says which field to correct', async () => {
    const page = await open('/', darkPhone)
    const signInButton = page.getByRole('button', { name: 'Sign in' })
    await signInButton.waitFor()
    const focused = () => page.evaluate('document.activeElement?.textContent')
    for (let i = 0; i < 5 && (await focused()) !== 'Sign in'; i++) await page.keyboard.press('Tab')
    expect(await focused()).toBe('Sign in')
    await page.keyboard.press('Enter')
    await page.getByLabel('To', { exact: true }).focus()
    await page.keyboard.type('0x12')
    await page.keyboard.press('Enter')
    await page.getByText('An address is 0x followed by 40 hex digits.').waitFor()
    expect(await page.evaluate('document.activeElement?.id')).toBe('send-to')
    await expectAccessible(page)

    // What is wrong is shown even where it was folded away.
    const data = page.getByLabel('Data', { exact: true })
    await page.getByText('Data for a contract').click()
    await data.fill('hello')
    await page.getByText('Data for a contract').click()
    await page.getByLabel('To', { exact: true }).fill(to)
    await page.keyboard.press('Enter')
    await page.getByText('Data is 0x followed by pairs of hex digits.').waitFor()
    expect(await page.evaluate('document.activeElement?.id')).toBe('send-data')
  })

  test('an empty wallet is told what to do, and that the signature has a proof', async () => {
    const page = await open('/')
    await page.goto(`${pages().service.url}/auth/dev?login_hint=poor@example.test&return_to=${pages().url}/`)
    await chooseWithout(page)
    await page.getByLabel('To', { exact: true }).fill(to)
    await page.getByLabel('Amount in ETH').fill('0')
    await page.getByRole('button', { name: 'Sign and send' }).click()
    await page.getByRole('alert').getByText('Fund the wallet, or send less.').waitFor()
    await page.getByRole('alert').getByRole('link', { name: 'its proof' }).waitFor()
    await expectAccessible(page)
  })

  test('a sign-in that failed is told once, with a remedy, and signing in again works', async () => {
    const page = await open('/?x=1&sign_in_error=sign_in_refused', darkPhone)
    await page.getByRole('alert').getByText('Sign in again and approve.').waitFor()
    expect(page.url()).toBe(`${pages().url}/?x=1`)
    await expectAccessible(page)
    await picture(page, 'sign-in-refused')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await chooseWithout(page)
    expect(page.url()).toBe(`${pages().url}/?x=1`)
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('a service that fails is shown with a way out, which then works', async () => {
    pages().service.inject({ path: '/auth/me', problem: { status: 500, code: 'internal_error', detail: 'It broke.' } })
    const page = await open('/', darkPhone)
    await page.getByRole('alert').getByText('It broke.').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
  })
}
