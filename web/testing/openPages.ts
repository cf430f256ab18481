import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'

/** Opens pages and remembers what went wrong in them: failed scripts, and requests that the policy forbids. */
export function createOpener(browser: () => Browser, url: () => string) {
  let problems: string[] = []
  return {
    async open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
      const page = await (await browser().newContext(options)).newPage()
      page.on('pageerror', (error) => problems.push(error.message))
      page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
      await page.goto(url() + path)
      return page
    },
    /** An HTTP error status is part of some tests, and no problem. */
    expectNoProblems(): void {
      expect(problems.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([])
      problems = []
    },
  }
}

/** No violation that axe knows of, and nothing wider than the window. */
export async function expectAccessible(page: Page): Promise<void> {
  const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  const violations = (await page.evaluate(`${source}; axe.run(document, { resultTypes: ['violations'] }).then(
    ({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map((node) => node.html).join(' ')))`)) as string[]
  expect(violations).toEqual([])
  const tooWide = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
  expect(tooWide).toBe(false)
}
