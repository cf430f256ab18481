import { expect, test } from 'vitest'
import { fundedClient } from '@perigee/sdk/testing'
import { darkPhone, expectAccessible, type Opener } from '../../harness/browser/openPages.js'
import type { Pages } from './startPages.js'

const to = '0x00000000000000000000000000000000000000aa'

/** The page of a proof: its states, its verdict, and what it loads. */
export function describeProof(pages: () => Pages, { open }: Opener): void {
  /** A proof, made without the pages. */
  async function sign(): Promise<string> {
    const { client } = await fundedClient(pages().service)
    return (await client.signAndSend({ to, value: '0.5' })).attestationSlug
  }

  test('a proof page follows a proof, says that hardware was simulated, and needs no session', async () => {
    const slug = await sign()
    const before = pages().service.requests.length
    const page = await open(`/p/${slug}`, darkPhone)
    await page.getByRole('heading', { name: 'The receipt is being stored' }).waitFor()
    await expectAccessible(page)
    await pages().service.complete(slug)
    await page.getByRole('heading', { name: 'This signature has a complete public proof' }).waitFor()
    await page.getByText('Simulated hardware.').waitFor()
    await page.getByText('0.5 ETH').waitFor()
    await expectAccessible(page)
    expect(new Set(pages().askedSince(before))).toEqual(new Set([`GET /proof/${slug}`]))
  })

  test('a page shows its frame before any script runs, and while the proof is on its way', async () => {
    const still = await open('/p/any', { javaScriptEnabled: false })
    await still.getByRole('link', { name: 'Explorer' }).waitFor()
    await still.getByText('Loading…').waitFor()
    expect(await still.locator('main .card .skeleton').count()).toBeGreaterThan(3)
    const slug = await sign()
    pages().service.inject({ path: `/proof/${slug}`, delayMs: 2000 })
    const page = await open(`/p/${slug}`, darkPhone)
    await page.locator('main[aria-busy=true] .card').first().waitFor()
    await expectAccessible(page)
    await page.getByText('Waiting until the transaction is seen on its chain, then pinned to IPFS.').waitFor()
  })

  test('an unknown proof and an unknown page say so', async () => {
    const page = await open('/p/no-such-proof')
    await page.getByRole('heading', { name: 'No proof has this name' }).waitFor()
    await expectAccessible(page)
    await page.goto(`${pages().url}/nothing/here`)
    await page.getByRole('heading', { name: 'Nothing here' }).waitFor()
  })

  test('a check that takes long says what it is waiting for', async () => {
    const slug = await sign()
    await pages().service.complete(slug)
    const page = await open(`/p/${slug}`)
    let answer: () => void = () => undefined
    const slow = new Promise<void>((resolve) => (answer = resolve))
    await page.route('**/ipfs/**', async (route) => {
      await slow
      await route.continue()
    })
    await page.getByRole('button', { name: 'Verify in this browser' }).click()
    await page.getByRole('status').getByText('fetching receipt').waitFor()
    await expectAccessible(page)
    answer()
    await page.getByText('Not verified.').waitFor()
  })

  test('verification in the browser fails a receipt without hardware evidence, and says which checks', async () => {
    const slug = await sign()
    await pages().service.complete(slug)
    const page = await open(`/p/${slug}`)
    await page.getByRole('button', { name: 'Verify in this browser' }).click()
    await page.getByText('Not verified.').waitFor()
    await page.locator('.checks summary', { hasText: 'FAIL' }).first().waitFor()
    await expectAccessible(page)
  })

  test('the proof page first loads at most 150 kB of script, and the verifier only when asked', async () => {
    const slug = await sign()
    const page = await open('/icon.svg') // no script of another page may be counted
    const loaded: string[] = []
    page.on('response', (response) => loaded.push(new URL(response.url()).pathname))
    await page.goto(`${pages().url}/p/${slug}`)
    await page.getByRole('heading', { name: 'The receipt is being stored' }).waitFor()
    const scripts = loaded.filter((path) => path.endsWith('.js')).map((path) => path.split('/').at(-1) ?? '')
    let bytes = 0
    for (const name of scripts) bytes += await pages().gzipped(new RegExp(`^${name.replaceAll('.', '\\.')}$`))
    expect(scripts.some((name) => name.startsWith('runVerification'))).toBe(false)
    console.log(`first load of the proof page: ${bytes} bytes of script, gzipped`)
    expect(bytes).toBeGreaterThan(20_000)
    expect(bytes).toBeLessThanOrEqual(150_000)
  })
}
