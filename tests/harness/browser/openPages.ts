import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'

export const desktop = { viewport: { width: 1000, height: 800 }, colorScheme: 'light' } as const
export const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'light', isMobile: true } as const
export const dark = { ...desktop, colorScheme: 'dark' } as const
export const darkPhone = { ...phone, colorScheme: 'dark' } as const

const patienceMs = 180_000 // a page may be slow on a busy machine

/** Opens pages, and notes which origins they ask and what goes wrong in them. */
export function createOpener(browser: () => Browser, url: () => string) {
  const origins = new Set<string>()
  let problems: string[] = []
  return {
    async open(path: string, options: BrowserContextOptions = desktop): Promise<Page> {
      // Without animations: drawing them in software takes a whole core.
      const context = await browser().newContext({ reducedMotion: 'reduce', ...options })
      context.setDefaultTimeout(patienceMs)
      const page = await context.newPage()
      page.on('pageerror', (error) => problems.push(error.message))
      page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
      page.on('request', (request) => {
        if (/^https?:/.test(request.url())) origins.add(new URL(request.url()).origin)
      })
      await page.goto(url() + path)
      return page
    },
    /** Closes every page. A failed script or a policy violation fails the test; an HTTP error status may be part of it. */
    async closeAll(): Promise<void> {
      for (const context of browser().contexts()) await context.close()
      const found = problems.filter((text) => !text.startsWith('Failed to load resource'))
      problems = []
      expect(found).toEqual([])
    },
    /** Every origin that any page has asked so far. */
    askedOrigins: (): string[] => [...origins].sort(),
  }
}

export type Opener = ReturnType<typeof createOpener>

/** Loaded once per document: that takes half as long as its checks. */
const axeSource = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** No violation that axe knows of, and nothing wider than the window. */
export async function expectAccessible(page: Page): Promise<void> {
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(`${await axeSource}; true`)
  const violations = (await page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(
    ({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map((node) => node.html).join(' ')))`)) as string[]
  expect(violations).toEqual([])
  const tooWide = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
  expect(tooWide).toBe(false)
}

/** Checks the page at its desktop width in light mode, then at phone width in dark mode. */
export async function expectAccessibleEverywhere(page: Page): Promise<void> {
  await expectAccessible(page)
  await page.setViewportSize(darkPhone.viewport)
  await page.emulateMedia({ colorScheme: darkPhone.colorScheme })
  await expectAccessible(page)
  await page.setViewportSize(desktop.viewport)
  await page.emulateMedia({ colorScheme: desktop.colorScheme })
}
