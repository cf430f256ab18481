import { expect } from 'vitest'
import { findChromium, launchChromium } from '../../tests/harness/chromium.js'

/** That a person can sign in and out on the pages as Vite serves them. tests/browser covers all pages, as built. */
export async function expectPages(webUrl: string): Promise<void> {
  const executable = findChromium()
  if (!executable) return expect((await fetch(webUrl)).status).toBe(200)
  const browser = await launchChromium(executable)
  try {
    const page = await browser.newPage({ viewport: { width: 1100, height: 900 } })
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('console', (message) => {
      // The service answers the first request for a session with 401: nobody is signed in.
      if (message.type() === 'error' && !/401|404/.test(message.text())) problems.push(message.text())
    })
    await page.goto(webUrl)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('E-mail address').fill('grace@example.test')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Create without a passkey' }).click()
    await page.getByRole('heading', { name: 'Send', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    expect(problems).toEqual([])
  } finally {
    await browser.close()
  }
}
