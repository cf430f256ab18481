import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { stepNames } from '@perigee/core/receipt/verify'
import { desktop, phone, expectAccessible } from '../../harness/browser/openPages.js'
import type { Site } from './startSite.js'
import { picture, type Visits } from './visits.js'

const to = '0x00000000000000000000000000000000000000aa'

/** Proofs that fail for a real reason, and are repaired by an operator while their page is open. */
export function describeFailedProofs(site: () => Site, visits: Visits): void {
  const { open } = visits
  test('a proof whose receipt no node keeps intact says so, and moves to complete by itself once it is repaired', async () => {
    const client = await site().client('stuck@example.test')
    await site().whenBorn((await client.api.getWallet()).address)
    site().ipfs.set('down')
    const { attestationSlug: slug } = await client.signAndSend({ to, value: '0.1' })
    const page = await open(`/p/${slug}`)
    await page.getByRole('heading', { name: 'The receipt is being stored' }).waitFor()
    await expectAccessible(page)
    await picture(page, 'pending')
    site().ipfs.set('garble', (request) => request.includes('/block/get'))
    await page.getByRole('heading', { name: 'The receipt could not be stored' }).waitFor()
    await page.getByText('there is nothing to verify yet').waitFor()
    expect(await page.getByRole('button', { name: 'Verify in this browser' }).count()).toBe(0)
    await expectAccessible(page)
    await picture(page, 'pin-failed')
    site().ipfs.set('none')
    await site().retry(slug)
    await page.getByRole('heading', { name: 'complete public proof' }).waitFor()
    await page.getByRole('button', { name: 'Verify in this browser' }).click()
    await page.getByText(`${stepNames.length} of ${stepNames.length} checks passed`).waitFor()
  })

  test('a proof the contract refuses stays verifiable, its nonce lacks a receipt, and both are repaired', async () => {
    const client = await site().client('stuck@example.test')
    const { address } = await client.api.getWallet()
    await site().allowPublisher(false)
    const { attestationSlug: slug } = await client.signAndSend({ to, value: '0.2' })
    const page = await open(`/p/${slug}`, phone)
    await page.getByRole('heading', { name: 'the chain event is missing' }).waitFor()
    await page.getByText('The receipt stays verifiable.').first().waitFor()
    await expectAccessible(page)
    const wide = await open(`/p/${slug}`, desktop)
    await wide.getByRole('heading', { name: 'the chain event is missing' }).waitFor()
    await picture(wide, 'onchain-failed')
    await wide.close()
    await expectOperatorsOnly(site(), visits, slug)

    // Every check but the one about the chain passes.
    await page.getByRole('button', { name: 'Verify in this browser' }).click()
    await page.getByText(`${stepNames.length - 1} of ${stepNames.length} checks passed; 1 failed.`).waitFor()
    const nonce = (await client.publicClient.getTransactionCount({ address })) - 1
    const wallet = await open(`/w/${address}`)
    await wallet.getByText(`1 of ${nonce + 1} nonces lack a receipt:`).waitFor()
    await expectAccessible(wallet)
    await picture(wallet, 'explorer-wallet')

    await site().allowPublisher(true)
    await site().retry(slug)
    await page.getByRole('heading', { name: 'complete public proof' }).waitFor()
    await wallet.reload()
    await wallet.getByText('A receipt is published for every nonce.').waitFor()
    await expectAccessible(wallet)
  })
}

/** Only operators see the link to the Temporal UI; a stranger's page does not even ask for it. */
async function expectOperatorsOnly(site: Site, { open, openAs }: Visits, slug: string): Promise<void> {
  const look = async (page: Page) => {
    await page.getByRole('heading', { name: 'the chain event is missing' }).waitFor()
    return page.getByRole('link', { name: 'the workflow of this proof' })
  }
  const operator = await openAs('operator@example.test', `/p/${slug}`)
  const link = await look(operator)
  await link.waitFor()
  await expectAccessible(operator)
  await picture(operator, 'operator')
  const { temporalUiUrl, namespace } = site.stack
  const workflow = encodeURIComponent(`receipt/${slug}`)
  expect(await link.getAttribute('href')).toBe(`${temporalUiUrl}/namespaces/${namespace}/workflows/${workflow}`)

  const person = await openAs('person@example.test')
  const refused = person.waitForResponse((response) => response.url().includes('/operator/'))
  await person.goto(`${site.url}/p/${slug}`)
  expect((await refused).status()).toBe(403)
  expect(await (await look(person)).count()).toBe(0)

  const stranger = await open('/icon.svg')
  const said: string[] = []
  stranger.on('console', (message) => said.push(message.text()))
  stranger.on('request', (request) => request.url().includes('/operator/') && said.push(request.url()))
  await stranger.goto(`${site.url}/p/${slug}`)
  expect(await (await look(stranger)).count()).toBe(0)
  expect(said).toEqual([])
}
