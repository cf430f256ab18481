import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { buildPages } from '../../tests/browser/buildPages.js'
import { serveWorld } from '../../tests/browser/pages/serveWorld.js'
import { chromiumMissing, findChromium, launchChromium } from '../../tests/harness/browser/findChromium.js'
import { startHostileWorld } from '../../verifier/testing/hostileWorld.js'
import { counted } from '../measure/counted.js'
import { figure, median, notMeasured, type Figure } from '../measure/Figure.js'
import { inRounds } from '../measure/timing.js'

/** A desktop, and a phone that is four times slower. */
const machines = [
  { name: 'page, bytes to verdict', slowed: 1, atMost: 300 },
  { name: 'page, bytes to verdict, Chromium slowed 4 times', slowed: 4, atMost: 1500 },
] as const

/**
 * Milliseconds from the last byte of a receipt's evidence to its verdict on the proof page, by the page's own marks.
 * Each visit loads the page again, so no code of it is warm.
 */
export async function pageVerification(): Promise<Figure[]> {
  const executable = findChromium()
  if (executable === undefined) return machines.map(({ name }) => notMeasured(name, 'ms', chromiumMissing))
  const folder = await mkdtemp(join(tmpdir(), 'perigee-bench-pages-'))
  const world = await startHostileWorld() // all of it honest here
  try {
    await buildPages(folder)
    const served = await serveWorld(folder, world)
    const browser = await launchChromium(executable)
    try {
      const url = `${served.url}/p/${world.proof.slug}`
      await visit(browser, url, 1) // the browser's own start is not the page's
      const rounds = await inRounds(3, async () => {
        const times = machines.map(() => [] as number[])
        for (let turn = counted(4); turn > 0; turn--) {
          for (const [index, { slowed }] of machines.entries()) times[index]?.push(await visit(browser, url, slowed))
        }
        return times.map(median)
      })
      return machines.map(({ name, atMost }, index) =>
        figure(
          name,
          'ms',
          rounds.map((round) => round[index] as number),
          { atMost },
        ),
      )
    } finally {
      await browser.close()
      await served.close()
    }
  } finally {
    await world.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function visit(browser: Browser, url: string, slowed: number): Promise<number> {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  try {
    const page = await context.newPage()
    const devTools = await context.newCDPSession(page)
    await devTools.send('Emulation.setCPUThrottlingRate', { rate: slowed })
    await page.goto(url)
    await page.getByRole('button', { name: 'Verify in this browser' }).click()
    await page.getByText('Every check passes, on simulated hardware.').waitFor()
    return (await page.evaluate(
      `performance.measure('bytes to verdict', 'perigee:gathered', 'perigee:verdict').duration`,
    )) as number
  } finally {
    await context.close()
  }
}
