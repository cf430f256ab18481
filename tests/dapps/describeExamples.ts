import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { serveFolder } from '../../sdk/build/testing/serveFolder.js'
import { buildWithVite } from '../browser/buildPages.js'
import { picture } from '../browser/site/visits.js'
import { createOpener, expectAccessible } from '../harness/browser/openPages.js'
import type { Backend } from './Backend.js'

/** The examples as a person copies them, built and used in a browser. */
export function describeExamples(browser: () => Browser, backend: () => Backend): void {
  let url = ''
  const opener = createOpener(browser, () => url)
  afterEach(() => opener.closeAll())

  async function withExample(name: string, use: (page: Page) => Promise<void>): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), `perigee-${name}-`))
    const { apiUrl, rpcUrl } = backend()
    await buildWithVite(`examples/${name}`, folder, [], { VITE_API_URL: apiUrl, VITE_RPC_URL: rpcUrl })
    const site = await serveFolder(folder)
    url = site.url
    const page = await opener.open('')
    await use(page)
    await picture(page, `example-${name}`)
    await site.close()
    await rm(folder, { recursive: true, force: true })
  }

  test('examples/react: signs in, signs a message and typed data, shows an error, sends and shows the proofs', async () => {
    await withExample('react', async (page) => {
      await page.getByRole('button', { name: 'Sign in' }).click()
      const names = ['Sign a message', 'Sign typed data', 'Send 0.01 ETH'] as const
      const press = (name: string) => page.getByRole('button', { name }).click()
      const section = (name: string) => page.locator('section', { has: page.getByRole('button', { name }) })
      const saysOf = (name: string, text: string) => section(name).getByText(text).waitFor()
      for (const name of names) await saysOf(name, 'nothing yet')
      await press('Sign a message')
      await saysOf('Sign a message', 'signed, proof')
      await press('Sign typed data')
      await saysOf('Sign typed data', 'signed, proof')
      await press('Send 0.01 ETH')
      await page.getByRole('alert').waitFor() // no ether yet
      await expectAccessible(page)
      await backend().fund((await page.locator('main > p').first().innerText()).trim())
      await press('Send 0.01 ETH')
      for (const name of names) await saysOf(name, 'signed, proof complete')
      expect(await page.getByRole('alert').count()).toBe(0)
    })
  })

  test('examples/wagmi: connects, signs a message and typed data, and sends', async () => {
    await withExample('wagmi', async (page) => {
      await page.getByRole('button', { name: 'Connect with Perigee' }).click()
      await page.getByRole('heading', { name: 'Connected' }).waitFor()
      await page.getByText('nothing yet').waitFor()
      await backend().fund((await page.locator('main > p').first().innerText()).trim())
      const results = new Set<string>()
      for (const [name, length] of [
        ['Sign a message', 132],
        ['Sign typed data', 132],
        ['Send 0.01 ETH', 66],
      ] as const) {
        await page.getByRole('button', { name }).click()
        // The last result stands until there is another.
        const next = async () => [await page.locator('output').innerText()].find((text) => !results.has(text))
        await expect.poll(async () => (await next())?.length).toBe(length)
        results.add(await page.locator('output').innerText())
      }
      await expectAccessible(page)
    })
  })
}
