import { expect, test } from 'vitest'
import type { Stack } from '../../dev/stack/startStack.js'
import { chromiumMissing, findChromium, launchChromium } from '../harness/chromium.js'

/** That the pages work as Vite serves them to developers. tests/browser walks through all of them, on the static build. */
export function describeBrowserThread(stack: () => Stack): void {
  test('a newcomer signs in on the pages that Vite serves', async (context) => {
    const executable = findChromium()
    if (!executable) return context.skip(chromiumMissing)
    const browser = await launchChromium(executable)
    try {
      const page = await browser.newPage({ viewport: { width: 1100, height: 900 } })
      const problems: string[] = []
      page.on('pageerror', (error) => problems.push(error.message))
      page.on('console', (message) => {
        // The service answers the first request for a session with 401: nobody is signed in.
        if (message.type() === 'error' && !/401|404/.test(message.text())) problems.push(message.text())
      })
      await page.goto(stack().file.webUrl)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByLabel('E-mail address').fill('grace@example.test')
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByRole('heading', { name: 'Send' }).waitFor()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('button', { name: 'Sign in' }).waitFor()
      expect(problems).toEqual([])
    } finally {
      await browser.close()
    }
  })
}
