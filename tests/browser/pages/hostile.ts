import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { hostileCases } from '../../../verifier/testing/hostileCases.js'
import { startHostileWorld, type HostileWorld } from '../../../verifier/testing/hostileWorld.js'
import { desktop, expectAccessible } from '../../harness/browser/openPages.js'
import { serveWorld, type Served } from './serveWorld.js'
import type { Pages } from './startPages.js'

/** The same lies as verifier/hostile.slow.test.ts tells the CLI. */
export function describeHostile(pages: () => Pages, browser: () => Browser): void {
  describe('a hostile', () => {
    let world: HostileWorld
    let served: Served

    beforeAll(async () => {
      world = await startHostileWorld()
      served = await serveWorld(pages().folder, world)
    })
    afterEach(() => world.beHonest())
    afterAll(async () => {
      await served?.close()
      await world?.close()
    })

    /** A page of its own: the errors that it reports here are expected, those of a script that got in are not. */
    async function openPage(): Promise<{ page: Page; isUnharmed: () => Promise<void> }> {
      const context = await browser().newContext({ ...desktop, reducedMotion: 'reduce' })
      context.setDefaultTimeout(180_000)
      const page = await context.newPage()
      await page.clock.install()
      const violations: string[] = []
      page.on(
        'console',
        (message) => /Content Security Policy/i.test(message.text()) && violations.push(message.text()),
      )
      const isUnharmed = async () => {
        expect(violations).toEqual([])
        expect(await page.evaluate('window.poisoned')).toBeUndefined()
        expect(await page.locator('main img[src=x], main script, a[href^="javascript:" i]').count()).toBe(0)
      }
      return { page, isUnharmed }
    }
    const verify = (page: Page) => page.getByRole('button', { name: 'Verify in this browser' }).click()
    const standing = (page: Page, text: string) => page.locator('.standing', { hasText: text }).first().waitFor()

    test('service, gateway or node gets no verdict for a lie', async () => {
      const { page, isUnharmed } = await openPage()
      for (const { who, name, lie, outcome, page: words } of hostileCases) {
        world.beHonest()
        world[who].tell(lie(world))
        await page.goto(`${served.url}/p/${world.proof.slug}`)
        const isShown = !words.source.includes('cannot be loaded')
        if (isShown) await standing(page, 'As the service says, not verified yet')
        if (isShown) await verify(page)
        const said = page.locator('main', { hasText: words })
        for (let turn = 1; (await said.count()) === 0 && turn < 600; turn++) {
          await page.waitForTimeout(50)
          if (turn % 20 === 0) await page.clock.fastForward(21_000) // an answer that does not come is given up
        }
        expect(await said.count(), `a ${who} that ${name}`).toBe(1)
        await isUnharmed()
        // A source that is away is nothing against the receipt.
        if (words.source.startsWith('Could not')) expect(await page.locator('.standing.bad').count()).toBe(0)
        if (outcome === 'verified') {
          await standing(page, 'Read from the bytes that your browser verified')
          expect(await page.getByText('Jan 1, 2001').count()).toBe(0) // the service’s word is gone
        } else expect(await page.locator('.standing.good, .note.good').count(), `a ${who} that ${name}`).toBe(0)
      }
    })

    test('receipt whose every string is poisoned is shown as text', async () => {
      const { page, isUnharmed } = await openPage()
      await page.goto(`${served.url}/r/${world.poisonedCid}`)
      await standing(page, 'As the receipt says, not verified yet')
      await page.getByText('onerror').first().waitFor()
      await verify(page)
      await page.getByText('Not verified.').first().waitFor()
      await standing(page, 'Not verified: do not rely on it')
      await isUnharmed()
      await expectAccessible(page)
    })
  })
}
