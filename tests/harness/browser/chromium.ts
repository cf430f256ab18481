import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe } from 'vitest'
import { chromiumMissing, findChromium, launchChromium } from './findChromium.js'

/** Tests in one headless browser. Where there is no Chromium they are skipped, and their title says why. */
export function describeInChromium(title: string, define: (browser: () => Browser) => void): void {
  const executable = findChromium()
  const name = executable ? title : `${title} (${chromiumMissing})`
  describe.skipIf(!executable)(name, () => {
    let browser: Browser | undefined
    beforeAll(async () => {
      browser = await launchChromium(executable as string)
    })
    afterAll(() => browser?.close())
    define(() => browser as Browser)
  })
}
