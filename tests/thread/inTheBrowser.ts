import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { chromiumMissing, findChromium, launchChromium } from '../harness/chromium.js'
import type { Stack } from '../../dev/stack/startStack.js'

/** The same thread as a newcomer walks it, on pages that Vite serves. tests/browser has the static build, and more. */
export function describeBrowserThread(stack: () => Stack): void {
  test('a newcomer signs in, sends, sees the proof complete, verifies it in the browser and signs out', async (context) => {
    const executable = findChromium()
    if (!executable) return context.skip(chromiumMissing)
    const browser = await launchChromium(executable)
    try {
      const page = await browser.newPage({ viewport: { width: 1100, height: 900 } })
      const problems: string[] = []
      page.on('pageerror', (error) => problems.push(error.message))
      page.on('console', (message) => {
        // A 401 on the first look for a session is how the service says that nobody is signed in.
        if (message.type() === 'error' && !/401|404/.test(message.text())) problems.push(message.text())
      })
      await signInByHand(page, stack().file.webUrl)
      await send(page)
      await openProof(page)
      await signOut(page, stack().file.webUrl)
      expect(problems).toEqual([])
    } finally {
      await browser.close()
    }
  })
}

async function signInByHand(page: Page, webUrl: string): Promise<void> {
  await page.goto(webUrl)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByLabel('E-mail address').fill('grace@example.test')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Send' }).waitFor()
}

async function send(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Get 1 test ETH' }).click()
  await page.locator('.balance', { hasText: /^1(?:\.0)? ETH/ }).waitFor()
  await page.getByLabel('To', { exact: true }).fill('0x00000000000000000000000000000000000000dd')
  await page.getByLabel('Amount in ETH').fill('0.25')
  await page.getByRole('button', { name: 'Sign and send' }).click()
  await page.getByRole('heading', { name: 'Proof of your transaction' }).waitFor()
  await page.getByText('Published on the chain (done)').waitFor({ timeout: 60_000 })
}

async function openProof(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Open the proof page' }).click()
  await page.getByText('Simulated hardware.').waitFor()
  expect(page.url()).toMatch(/\/p\/[A-Za-z0-9_-]{22,}$/)
  await page.getByRole('button', { name: 'Verify in this browser' }).click()
  await page.getByText('15 of 15 checks passed').waitFor({ timeout: 60_000 })
  await page.getByRole('heading', { name: 'Verify here' }).scrollIntoViewIfNeeded()
}

async function signOut(page: Page, webUrl: string): Promise<void> {
  await page.goto(webUrl)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
}
