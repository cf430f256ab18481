import { expect, test } from 'vitest'
import { stepNames } from '@perigee/core/receipt/verify'
import { dark, phone, expectAccessible } from '../../harness/browser/openPages.js'
import type { Site } from './startSite.js'
import { picture, type Visits } from './visits.js'

const to = '0x00000000000000000000000000000000000000bb'

/** What a sceptic does with a link: forged and missing receipts, look-ups, a slow phone, a badge on another site. */
export function describeStranger(site: () => Site, { open }: Visits): void {
  let made: Promise<{ slug: string; cid: string; txHash: string; wallet: string }> | undefined
  const proof = () =>
    (made ??= (async () => {
      const client = await site().client('ada@example.test')
      const { attestationSlug: slug, txHash } = await client.signAndSend({ to, value: '0.5' })
      const { ipfsCid, walletAddress } = await client.waitForProof(slug)
      return { slug, cid: ipfsCid as string, txHash, wallet: walletAddress }
    })())

  test('a tampered receipt is shown to fail, whether forged here or on the way', async () => {
    const { slug } = await proof()
    const page = await open(`/p/${slug}`, dark)
    await page.getByRole('heading', { name: 'complete public proof' }).waitFor()
    await expectAccessible(page)
    await picture(page, 'proof-dark')
    await page.getByRole('button', { name: 'Try it with a forged amount' }).click()
    await page.getByText('Not verified.').waitFor()
    await page.locator('.checks summary', { hasText: 'FAIL' }).first().waitFor()
    await expectAccessible(page)
    await picture(page, 'receipt-tampered', '#verify-title')
    site().gateway.set('garble')
    const fresh = await open(`/p/${slug}`) // another browser: this one has the true bytes in its cache
    await fresh.getByRole('button', { name: 'Verify in this browser' }).click()
    await fresh.getByRole('alert').getByText('Not this receipt: the bytes were changed.').waitFor()
    await expectAccessible(fresh)
    await picture(fresh, 'gateway-lies', '#verify-title')
    site().gateway.set('none')
  })

  test('a gateway that is down says nothing about the receipt, and trying again helps', async () => {
    const { slug, cid } = await proof()
    site().gateway.set('down')
    const page = await open(`/p/${slug}`)
    await page.getByRole('button', { name: 'Verify in this browser' }).click()
    await page.getByText('The check could not be made.').waitFor()
    await page.getByText('That says nothing about the receipt.').waitFor()
    await expectAccessible(page)
    const receipt = await open(`/r/${cid}`)
    await receipt.getByRole('alert').getByText('The receipt could not be fetched.').waitFor()
    await expectAccessible(receipt)
    await picture(receipt, 'gateway-down')
    site().gateway.set('none')
    await receipt.getByRole('button', { name: 'Try again' }).click()
    await receipt.getByRole('button', { name: 'Verify in this browser' }).click()
    await receipt.getByText(`${stepNames.length} of ${stepNames.length} checks passed`).waitFor()
    await expectAccessible(receipt)
    await picture(receipt, 'receipt-verified', '#verify-title')
  })

  test('one field finds a proof by its name, CID, transaction hash and wallet', async () => {
    const { slug, cid, txHash, wallet } = await proof()
    const page = await open('/explore')
    await page.getByText('Where this page looks').waitFor()
    await expectAccessible(page)
    await picture(page, 'explorer')
    for (const [text, heading, detail] of [
      [slug, 'This signature has a complete public proof', '0.5 ETH'],
      [cid, 'Receipt by its CID', 'hashed here: they are what this CID names'],
      [txHash, 'Receipts of a transaction or message', 'Open and verify the receipt'],
      [wallet, 'Receipts of a wallet', 'A receipt is published for every nonce.'],
    ] as const) {
      await page.goto(`${site().url}/explore`)
      await page.getByLabel('Look up a proof').fill(text)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: heading }).waitFor()
      await page.getByText(detail).first().waitFor()
      await expectAccessible(page)
    }
  })

  test('on a slow phone the page says that it loads, then the proof is there, and nothing jumps', async () => {
    const { slug } = await proof()
    const page = await open('/icon.svg', phone)
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Network.enable')
    // A bad connection: 400 ms there and back, 60 kB a second.
    const slow = { offline: false, latency: 400, downloadThroughput: 60_000, uploadThroughput: 30_000 }
    await devtools.send('Network.emulateNetworkConditions', slow)
    await page.addInitScript(`
      window.jumps = 0
      new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.jumps += entry.value })
        .observe({ type: 'layout-shift', buffered: true })`)
    const started = Date.now()
    await page.goto(`${site().url}/p/${slug}`, { waitUntil: 'commit' })
    await page.getByText('Loading…').waitFor()
    await page.getByRole('heading', { name: 'complete public proof' }).waitFor()
    const tookMs = Date.now() - started
    await page.waitForTimeout(500)
    const jumps = (await page.evaluate('window.jumps')) as number
    console.log(`proof page on a slow phone: ${tookMs} ms to the proof, layout shift ${jumps.toFixed(3)}`)
    expect(jumps).toBeLessThan(0.1) // "good" in Web Vitals
    await expectAccessible(page)
    await picture(page, 'proof-phone')
  })

  test('the badge shows the state on any other page', async () => {
    const { slug } = await proof()
    const page = await open(`/p/${slug}`, { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.getByRole('button', { name: 'Copy the badge’s HTML' }).click()
    await page.getByText('Copied').waitFor()
    await page.waitForFunction('document.images[0]?.naturalWidth > 100')
    await picture(page, 'badge', '#badge-title')
    const snippet = (await page.evaluate('navigator.clipboard.readText()')) as string
    const elsewhere = await page.context().newPage()
    await elsewhere.setContent(snippet)
    await elsewhere.waitForFunction('document.images[0]?.naturalWidth > 100')
    const svg = await (await fetch(`${site().url}/badge/${slug}.svg`)).text()
    expect(svg).toContain('simulated')
  })
}
