import { expect, test } from 'vitest'
import { stepNames } from '@perigee/core/receipt/verify'
import { desktop, expectAccessibleEverywhere } from '../../harness/browser/openPages.js'
import { livePasskeyLife, upgradeWallet } from '../passkeys/journey.js'
import type { Site } from './startSite.js'
import { picture, type Visits } from './visits.js'

/** Passkeys from the browser to the enclave and into the receipt. */
export function describePasskeys(site: () => Site, { open }: Visits): void {
  const signedIn = async (email: string) => {
    const page = await open('/icon.svg', desktop)
    const query = new URLSearchParams({
      login_hint: email,
      return_to: `${site().url}/`,
      authorisation: 'required', // as the page's own button asks
    })
    await page.goto(`${site().stack.apiUrl}/auth/dev?${query.toString()}`)
    return page
  }

  test('a wallet lives with passkeys: made, used, declined, added, removed, recovered; its receipt says who approved', async () => {
    const page = await signedIn('passkey@example.test')
    const slug = await livePasskeyLife(page)
    await page.goto(`${site().url}/p/${slug}`)
    await page.getByRole('heading', { name: 'This signature has a complete public proof' }).waitFor()
    const origin = new URL(site().url).origin
    const approved = `The holder of a passkey on ${origin} approved exactly this transaction`
    await page.getByText(approved).waitFor() // as the service says, before anything is verified
    await expectAccessibleEverywhere(page)
    await page.getByRole('button', { name: 'Verify in this browser' }).click()
    await page.getByText(`${stepNames.length} of ${stepNames.length} checks passed`).waitFor()
    const sentence = `${approved}; the enclave checked the passkey’s signature before it signed, and your browser has now checked it again.`
    await page.getByText(sentence).waitFor()
    await expectAccessibleEverywhere(page)
    await picture(page, 'passkey-verified', '#verify-title')
    const verdict = await site().verify(`${site().url}/p/${slug}`)
    expect(verdict.code, verdict.stdout).toBe(0)
    expect(verdict.stdout).toMatch(/of the owners \(record \d+\) approved this digest/)
  })

  test('a wallet that got its passkey later signs with it, and its receipt says why that is weaker', async () => {
    const page = await signedIn('upgrade@example.test')
    const slug = await upgradeWallet(page)
    await page.goto(`${site().url}/p/${slug}`)
    await page.getByRole('heading', { name: 'This signature has a complete public proof' }).waitFor()
    await page.getByRole('button', { name: 'Verify in this browser' }).click()
    await page.getByText(`${stepNames.length} of ${stepNames.length} checks passed`).waitFor()
    await page.getByText('got one later').first().waitFor()
    await expectAccessibleEverywhere(page)
  })
}
