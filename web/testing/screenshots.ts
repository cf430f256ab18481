// Makes the pictures in docs/screenshots that need no whole stack: `npx tsx web/testing/screenshots.ts`.
// wallet.png, proof.png and proof-verified.png come from the real one: see web/README.md.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fundedClient } from '@perigee/sdk/testing'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { mintReceipt } from '../../core/receipt/testing/mintReceipt.js'
import { anchorsOf, createSimulatedWorld, sampleEntropy } from '../../core/receipt/testing/simulatedWorld.js'
import { chromiumMissing, findChromium, launchChromium } from '../../tests/harness/chromium.js'
import { publishMinted } from './publishMinted.js'
import { startPages } from './startPages.js'

const folder = join(import.meta.dirname, '../../docs/screenshots')
const to = '0x00000000000000000000000000000000000000aa'
const desktop = { viewport: { width: 1000, height: 800 }, colorScheme: 'light' } as const
const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'light' } as const
const dark = { ...desktop, colorScheme: 'dark' } as const

const executable = findChromium()
if (!executable) throw new Error(chromiumMissing)
const world = await createSimulatedWorld(Math.floor(Date.now() / 1000) - 120)
const anchors = anchorsOf(world)
const pages = await startPages({ trustAnchors: anchors, contractAddress: anchors.contracts[0]!.address })
const browser = await launchChromium(executable)
const { service } = pages
const { client, wallet } = await fundedClient(service)

async function sign(value: string): Promise<string> {
  return (await client.signAndSend({ to, value })).attestationSlug
}

async function take(name: string, path: string, options: BrowserContextOptions, act: (page: Page) => Promise<unknown>) {
  const page = await browser.newPage(options)
  await page.goto(pages.url + path)
  await act(page)
  await page.waitForTimeout(300)
  await page.screenshot({ path: join(folder, `${name}.png`) })
  await page.close()
  console.log(name)
}

const text = (words: string) => (page: Page) => page.getByText(words).first().waitFor()
const verify = (button: string, words: string) => async (page: Page) => {
  await page.getByRole('button', { name: button }).click()
  await page.getByText(words).waitFor({ timeout: 30_000 })
  await page.locator('#verify-title').evaluate((element) => element.scrollIntoView())
}

try {
  await mkdir(folder, { recursive: true })
  await take('welcome', '/', desktop, text('A wallet you do not have to take on trust'))
  await take('welcome-phone-dark', '/', { ...phone, colorScheme: 'dark' }, text('A wallet you do not have to'))
  await take('explorer', '/explore', desktop, text('Where this page looks'))

  const done = await sign('0.5')
  await service.complete(done)
  await service.complete(await sign('0.02'))
  const notStored = await sign('0.1')
  service.fail(notStored)
  const notOnChain = await sign('0.2')
  service.pin(notOnChain)
  service.fail(notOnChain)
  await take('pin-failed', `/p/${notStored}`, desktop, text('The receipt could not be stored'))
  await take('onchain-failed', `/p/${notOnChain}`, desktop, text('the chain event is missing'))
  await take('pending', `/p/${await sign('0.3')}`, desktop, text('The receipt is being stored'))
  await take('proof-dark', `/p/${done}`, dark, text('This signature has a complete public proof'))
  await take('proof-phone', `/p/${done}`, phone, text('This signature has a complete public proof'))
  await take('explorer-wallet', `/w/${wallet.address}`, desktop, text('nonces lack a receipt'))

  const minted = mintReceipt(world, {
    transaction: { chainId: service.chainId, nonce: 3 },
    entropy: sampleEntropy('3', world.signedAt - 5),
  })
  await publishMinted(pages, minted)
  const receipt = `/r/${minted.evidence.cid}`
  await take('receipt-verified', receipt, desktop, verify('Verify in this browser', '15 of 15 checks passed'))
  await take('receipt-tampered', receipt, desktop, verify('Try it with a forged amount', 'Not verified.'))
  await take('badge', `/p/${done}`, desktop, async (page) => {
    await page.locator('#badge-title').evaluate((element) => element.scrollIntoView())
    await page.waitForFunction('document.images[0]?.naturalWidth > 100')
  })
  await take('firmware-then-and-now', receipt, desktop, async (page) => {
    await verify('Verify in this browser', '15 of 15 checks passed')(page)
    await page.getByLabel('Firmware status then and now').evaluate((element) => element.scrollIntoView())
  })
  await take('gateway-down', `/r/bafkrei${'a'.repeat(52)}`, desktop, text('The receipt could not be had.'))
} finally {
  await browser.close()
  await pages.close()
}
