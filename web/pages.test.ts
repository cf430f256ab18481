import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { fundedClient } from '@perigee/sdk/testing'
import { chromiumMissing, findChromium, launchChromium } from '../tests/harness/chromium.js'
import { createOpener, expectAccessible } from './testing/openPages.js'
import { startPages, type Pages } from './testing/startPages.js'

const to = '0x00000000000000000000000000000000000000aa'
const executable = findChromium()
// On the in-memory service, which can be made to fail on command. tests/browser has the real one.
const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const

describe.skipIf(!executable)(`the pages in Chromium${executable ? '' : ` (${chromiumMissing})`}`, () => {
  let pages: Pages
  let browser: Browser
  const { open, expectNoProblems } = createOpener(
    () => browser,
    () => pages.url,
  )

  beforeAll(async () => {
    pages = await startPages()
    browser = await launchChromium(executable as string)
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    await pages?.close()
  })
  afterEach(expectNoProblems)

  async function signedIn(options?: BrowserContextOptions): Promise<Page> {
    const page = await open('/', options)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    return page
  }

  /** A proof, made without the pages. */
  async function sign(): Promise<string> {
    const { client } = await fundedClient(pages.service)
    return (await client.signAndSend({ to, value: '0.5' })).attestationSlug
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
    await pages.service.complete(slug)
    await page.getByText('Published on the chain (done)').waitFor()
    await page.locator('.history .chip', { hasText: 'complete' }).waitFor()
    await expectAccessible(page)
    await page.reload()
    await page.locator('.history', { hasText: '0.25 ETH' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
  })

  test('the wallet works with the keyboard alone, and says which field to correct', async () => {
    const page = await open('/', phone)
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
  })

  test('an empty wallet is told what to do, and that the signature has a proof', async () => {
    const page = await open('/')
    await page.goto(`${pages.service.url}/auth/dev?login_hint=poor@example.test&return_to=${pages.url}/`)
    await page.getByLabel('To', { exact: true }).fill(to)
    await page.getByRole('button', { name: 'Sign and send' }).click()
    await page.getByRole('alert').getByText('Fund the wallet, or send less.').waitFor()
    await page.getByRole('alert').getByRole('link', { name: 'its proof' }).waitFor()
    await expectAccessible(page)
  })

  test('a service that fails is shown with a way out, which then works', async () => {
    pages.service.inject({ path: '/auth/me', problem: { status: 500, code: 'internal_error', detail: 'It broke.' } })
    const page = await open('/', phone)
    await page.getByRole('alert').getByText('It broke.').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
  })

  test('a proof page follows a proof, says that hardware was simulated, and needs no session', async () => {
    const slug = await sign()
    const before = pages.service.requests.length
    const page = await open(`/p/${slug}`, phone)
    await page.getByRole('heading', { name: 'The receipt is being stored' }).waitFor()
    await expectAccessible(page)
    await pages.service.complete(slug)
    await page.getByRole('heading', { name: 'This signature has a complete public proof' }).waitFor()
    await page.getByText('Simulated hardware.').waitFor()
    await page.getByText('0.5 ETH').waitFor()
    await expectAccessible(page)
    const asked = pages.service.requests.slice(before).filter((line) => !line.startsWith('RPC'))
    expect(new Set(asked)).toEqual(new Set([`GET /proof/${slug}`]))
  })

  test('an unknown proof and an unknown page say so', async () => {
    const page = await open('/p/no-such-proof')
    await page.getByRole('heading', { name: 'No proof has this name' }).waitFor()
    await expectAccessible(page)
    await page.goto(`${pages.url}/nothing/here`)
    await page.getByRole('heading', { name: 'Nothing here' }).waitFor()
  })

  test('verification in the browser fails a receipt without hardware evidence, and says which checks', async () => {
    const slug = await sign()
    await pages.service.complete(slug)
    const page = await open(`/p/${slug}`)
    await page.getByRole('button', { name: 'Verify in this browser' }).click()
    await page.getByText('Not verified.').waitFor()
    await page.locator('.checks summary', { hasText: 'FAIL' }).first().waitFor()
    await expectAccessible(page)
  })

  test('the proof page first loads at most 150 kB of script, and the verifier only when asked', async () => {
    const slug = await sign()
    const page = await open('/icon.svg') // no script of another page may be counted
    const loaded: string[] = []
    page.on('response', (response) => loaded.push(new URL(response.url()).pathname))
    await page.goto(`${pages.url}/p/${slug}`)
    await page.getByRole('heading', { name: 'The receipt is being stored' }).waitFor()
    const scripts = loaded.filter((path) => path.endsWith('.js')).map((path) => path.split('/').at(-1) ?? '')
    let bytes = 0
    for (const name of scripts) bytes += await pages.gzipped(new RegExp(`^${name.replaceAll('.', '\\.')}$`))
    expect(scripts.some((name) => name.startsWith('runVerification'))).toBe(false)
    console.log(`first load of the proof page: ${bytes} bytes of script, gzipped`)
    expect(bytes).toBeGreaterThan(20_000)
    expect(bytes).toBeLessThanOrEqual(150_000)
  })
})
