import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Site } from './startSite.js'

export const desktop = { viewport: { width: 1000, height: 800 }, colorScheme: 'light' } as const
export const dark = { ...desktop, colorScheme: 'dark' } as const
export const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'light', isMobile: true } as const
export const darkPhone = { ...phone, colorScheme: 'dark' } as const

/** Opens pages, and notes what they ask of whom and what goes wrong in them. */
export function createVisits(browser: () => Browser, site: () => Site) {
  const origins = new Set<string>()
  let problems: string[] = []

  async function open(path: string, options: BrowserContextOptions = desktop): Promise<Page> {
    const context = await browser().newContext(options)
    const page = await context.newPage()
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    page.on('request', (request) => {
      if (/^https?:/.test(request.url())) origins.add(new URL(request.url()).origin)
    })
    await page.goto(site().url + path)
    return page
  }

  return {
    open,
    /** A page of somebody who signed in. The hint spares the typing; the redirects are real. */
    async openAs(email: string, path = '/', options?: BrowserContextOptions): Promise<Page> {
      const page = await open('/icon.svg', options)
      const query = new URLSearchParams({ login_hint: email, return_to: `${site().url}/` })
      await page.goto(`${site().stack.apiUrl}/auth/dev?${query.toString()}`)
      await page.getByRole('button', { name: 'Sign out' }).waitFor()
      if (path !== '/') await page.goto(site().url + path)
      return page
    },
    /** An HTTP error status is part of some tests; a policy violation or a failed script never is. */
    expectNoProblems(): void {
      expect(problems.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([])
      problems = []
    },
    /** Every origin that any page has asked so far. */
    askedOrigins: (): string[] => [...origins].sort(),
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
