import { readFile, writeFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { stepNames } from '@perigee/core/receipt/verify'
import { darkPhone, desktop, expectAccessible } from '../../harness/browser/openPages.js'
import { chooseWithout } from '../passkeys/journey.js'
import type { Site } from './startSite.js'
import { picture, type Visits } from './visits.js'

/** From the first look to signing out, with everything a newcomer is offered on the way. */
export function describeNewcomer(site: () => Site, { open }: Visits): void {
  test('a newcomer signs in, sends, sees the proof complete, verifies it here and offline, and signs out', async () => {
    const page = await open('/', { ...desktop, acceptDownloads: true })
    await signInByHand(page)
    await send(page)
    await page.getByRole('link', { name: 'Open the proof page' }).click()
    await page.getByText('Simulated hardware.').waitFor()
    expect(page.url()).toMatch(/\/p\/[A-Za-z0-9_-]{22,}$/)
    await expectAccessible(page)
    await picture(page, 'proof')
    await verifyHere(page)
    await verifyOffline(page, site())
    await page.goto(site().url)
    await page.locator('.history .chip', { hasText: 'complete' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
  })

  test('the first page is the same on a phone in the dark', async () => {
    const page = await open('/', darkPhone)
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    await expectAccessible(page)
    await picture(page, 'welcome-phone-dark')
  })
}

async function signInByHand(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  await expectAccessible(page)
  await picture(page, 'welcome')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByLabel('E-mail address').fill('grace@example.test')
  await picture(page, 'identity-provider')
  await page.getByRole('button', { name: 'Continue' }).click()
  await chooseWithout(page)
  await page.getByText('Nothing yet.').waitFor()
  await page.getByText('Where the key comes from').click()
  await page.getByText('This record never changes.').waitFor()
  await expectAccessible(page)
  await picture(page, 'wallet-new')
  await page.getByText('Where the key comes from').click()
}

async function send(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Get 1 test ETH' }).click()
  await page.locator('.balance', { hasText: /^1(?:\.0)? ETH/ }).waitFor()
  await page.getByLabel('To', { exact: true }).fill('0x00000000000000000000000000000000000000dd')
  await page.getByLabel('Amount in ETH').fill('0.25')
  await page.getByText('Data for a contract').click()
  await page.getByLabel('Data', { exact: true }).fill('0x68656c6c6f')
  await page.getByRole('button', { name: 'Sign and send' }).click()
  await page.getByRole('heading', { name: 'Proof of your transaction' }).waitFor()
  await page.getByText('Published on the chain (done)').waitFor()
  await page.locator('.history .chip', { hasText: 'complete' }).waitFor()
  await expectAccessible(page)
  await page.getByText('Data for a contract').click()
  await page.setViewportSize({ width: 1000, height: 1250 })
  await picture(page, 'wallet')
  await page.setViewportSize(desktop.viewport)
}

async function verifyHere(page: Page): Promise<void> {
  await page.getByText('with 5 bytes of data').waitFor()
  await page.getByRole('button', { name: 'Verify in this browser' }).click()
  await page.getByText(`${stepNames.length} of ${stepNames.length} checks passed`).waitFor()
  await picture(page, 'proof-verified', '#verify-title')
  await page.locator('.checks summary').nth(2).click()
  await page.getByText('UpToDate, checked just now').waitFor()
  await expectAccessible(page)
  await picture(page, 'firmware-then-and-now', '[aria-label="Firmware status then and now"]')
}

/** The downloaded bundle convinces the verifier with a node; without one nothing fails. One changed digit of it does. */
async function verifyOffline(page: Page, site: Site): Promise<void> {
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download everything for an offline check' }).click()
  const file = await (await download).path()
  const online = await site.verify(file)
  expect(online.code, online.stdout).toBe(0)
  const good = await site.verify(file, '--offline')
  expect(good.code, good.stdout).toBe(3) // the event is taken from the bundle, unchecked
  expect(good.stdout).not.toMatch(/FAIL/)
  const bundle = JSON.parse(await readFile(file, 'utf8')) as { receipt: string }
  const receipt = Buffer.from(bundle.receipt, 'base64').toString().replace('250000000000000000', '950000000000000000')
  await writeFile(file, JSON.stringify({ ...bundle, receipt: Buffer.from(receipt).toString('base64') }))
  expect((await site.verify(file, '--offline')).code).toBe(1)
}
