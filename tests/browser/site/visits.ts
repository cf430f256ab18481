import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { createOpener } from '../../harness/browser/openPages.js'
import type { Site } from './startSite.js'

/** Visits of strangers and of people who signed in. */
export function createVisits(browser: () => Browser, site: () => Site) {
  const opener = createOpener(browser, () => site().url)
  const { open } = opener
  return {
    ...opener,
    /** A page after sign-in. The hint saves the typing; the redirects are real. */
    async openAs(email: string, path = '/', options?: BrowserContextOptions): Promise<Page> {
      const page = await open('/icon.svg', options)
      const query = new URLSearchParams({ login_hint: email, return_to: `${site().url}/` })
      await page.goto(`${site().stack.apiUrl}/auth/dev?${query.toString()}`)
      await page.getByRole('button', { name: 'Sign out' }).waitFor()
      if (path !== '/') await page.goto(site().url + path)
      return page
    },
  }
}

export type Visits = ReturnType<typeof createVisits>

/** Kept in SCREENSHOT_DIR when it is set: `npm run screenshots`. */
export async function picture(page: Page, name: string, at?: string): Promise<void> {
  const dir = process.env['SCREENSHOT_DIR']
  if (!dir) return
  await mkdir(dir, { recursive: true })
  const scroll = at ? `document.querySelector('${at}').getBoundingClientRect().top - 24` : '-window.scrollY'
  await page.evaluate(`window.scrollBy(0, ${scroll})`)
  await page.waitForTimeout(300) // transitions
  await page.screenshot({ path: join(dir, `${name}.png`) })
}
