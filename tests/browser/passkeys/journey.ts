import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { virtualAuthenticators } from '../../harness/authenticators.js'
import { expectAccessibleEverywhere } from '../../harness/browser/openPages.js'
import { picture } from '../site/visits.js'

const to = '0x00000000000000000000000000000000000000dd'

/** Chooses a wallet without a passkey, where there is none yet. */
export async function chooseWithout(page: Page): Promise<void> {
  const choice = page.getByRole('button', { name: 'Create without a passkey' })
  const there = page.getByRole('heading', { name: 'Send', exact: true })
  await choice.or(there).waitFor()
  if (await choice.isVisible()) await choice.click()
  await there.waitFor()
}

/** Stores the code that is shown, and returns it. */
export async function takeCode(page: Page): Promise<string> {
  await page.getByRole('heading', { name: 'Write down your recovery code' }).waitFor()
  await expectAccessibleEverywhere(page)
  const groups = await page.locator('.recovery-code code').allTextContents()
  expect(await page.getByRole('button', { name: 'Continue' }).isDisabled()).toBe(true)
  await page.getByRole('checkbox', { name: /I have stored the code/ }).check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.locator('.recovery-code').waitFor({ state: 'detached' })
  return groups.join('-')
}

async function ask(page: Page, amount: string): Promise<void> {
  await page.getByLabel('To', { exact: true }).fill(to)
  await page.getByLabel('Amount in ETH').fill(amount)
  await page.getByRole('button', { name: 'Sign and send' }).click()
}

/** Sends a little; resolves with the slug of its proof. */
async function send(page: Page, amount: string): Promise<string> {
  await ask(page, amount)
  await page.locator('.history', { hasText: `${amount} ETH` }).waitFor()
  const link = page.getByRole('link', { name: 'Open the proof page' })
  return (await link.getAttribute('href'))?.split('/').at(-1) ?? ''
}

async function refused(page: Page, amount: string): Promise<void> {
  await ask(page, amount)
  await page.getByRole('alert').getByText('authorisation_declined').waitFor()
}

const devices = (page: Page) => page.locator('.device strong')

async function fund(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Get 1 test ETH' }).click()
  await page.locator('.balance', { hasText: /^1(?:\.0)? ETH/ }).waitFor()
}

/**
 * A person with a new account, on the wallet page: makes the wallet with a passkey, sends, declines, adds a second device,
 * loses the first one, removes it, and comes back with the recovery code. Returns the slug of a proof.
 */
export async function livePasskeyLife(page: Page): Promise<string> {
  const around = await virtualAuthenticators(page)
  const laptop = await around.add('internal')
  await page.getByRole('heading', { name: 'Make your wallet' }).waitFor()
  await expectAccessibleEverywhere(page)
  await picture(page, 'create-wallet')
  await page.getByRole('checkbox', { name: /Make a recovery code/ }).uncheck()
  await page.getByText('Without a code, this passkey is the only way in.').waitFor()
  await picture(page, 'create-without-code')
  await laptop.setVerifies(false)
  await page.getByRole('button', { name: 'Create with a passkey' }).click()
  await page.getByRole('alert').getByText('authorisation_declined').waitFor()
  await expectAccessibleEverywhere(page)
  await picture(page, 'create-declined')
  await laptop.setVerifies(true)
  await page.getByRole('button', { name: 'Create with a passkey' }).click()

  // No code: the page says what can be lost before it can be, and offers a code.
  await page.getByText('One lost device would lose this wallet.').waitFor()
  await expectAccessibleEverywhere(page)
  await picture(page, 'owners-alone', '#owners-title')
  await page.getByRole('button', { name: 'Make a recovery code' }).click()
  await picture(page, 'recovery-code')
  const code = await takeCode(page)
  await page.getByText('The wallet has a recovery code.').waitFor()

  await fund(page)
  const slug = await send(page, '0.01')
  await laptop.setVerifies(false)
  await refused(page, '0.02')
  await expectAccessibleEverywhere(page)
  await picture(page, 'declined', '#send-title')
  await laptop.setVerifies(true)

  // A second device: the new passkey signs, then the laptop agrees.
  const key = await around.add('usb')
  await page.getByText('Add a device', { exact: true }).click()
  await page.getByLabel('Name of the device').fill('Security key')
  await page.getByRole('button', { name: 'Add it' }).click()
  await devices(page).filter({ hasText: 'Security key' }).waitFor()
  expect(await devices(page).count()).toBe(2)
  await picture(page, 'two-devices', '#owners-title')

  // The laptop is lost: the key signs, and removes it.
  await laptop.lose()
  await send(page, '0.03')
  const lost = page.locator('.device').filter({ hasNotText: 'Security key' })
  await lost.getByRole('button', { name: /^Remove/ }).click()
  await expectAccessibleEverywhere(page)
  await picture(page, 'remove-device', '#owners-title')
  await page.getByRole('button', { name: 'Remove it' }).click()
  await lost.waitFor({ state: 'detached' })
  expect(await devices(page).allTextContents()).toEqual(['Security key'])

  // The key is lost too: on a new device, only the code helps.
  await key.lose()
  const phone = await around.add('internal')
  await refused(page, '0.04')
  await page.getByText('Lost your passkeys?').click()
  await page.getByLabel('Recovery code').fill(`${code.slice(0, -1)}${code.endsWith('0') ? '1' : '0'}`)
  await page.getByRole('button', { name: 'Recover the wallet' }).click()
  await page.getByRole('alert').getByText('recovery_code_invalid').waitFor()
  expect(await phone.passkeys()).toBe(0)
  await page.getByLabel('Recovery code').fill(code.toLowerCase())
  await page.getByRole('button', { name: 'Recover the wallet' }).click()
  expect(await takeCode(page)).not.toBe(code)
  await send(page, '0.05')
  return slug
}

/** A person who has a wallet without a passkey gives it one. Returns the slug of a proof. */
export async function upgradeWallet(page: Page): Promise<string> {
  await (await virtualAuthenticators(page)).add('internal')
  await chooseWithout(page)
  await page.getByText('This wallet has no passkey').waitFor()
  await expectAccessibleEverywhere(page)
  await picture(page, 'claim', '#owners-title')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await takeCode(page)
  await page.getByText('This wallet got its passkey later.').waitFor()
  await expectAccessibleEverywhere(page)
  await picture(page, 'upgraded', '#owners-title')
  await fund(page)
  return send(page, '0.01')
}
