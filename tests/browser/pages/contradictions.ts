import { expect, test } from 'vitest'
import type { Minted } from '../../../core/receipt/testing/mintReceipt.js'
import { darkPhone, expectAccessible, type Opener } from '../../harness/browser/openPages.js'
import { publishMinted } from './publishMinted.js'
import type { Pages } from './startPages.js'

/** Receipts that contradict one another, found on the chain and on IPFS without the service. */
export function describeContradictions(
  pages: () => Pages,
  mint: (nonce: number, sample?: number) => Minted,
  { open }: Opener,
): void {
  test('a sample that two receipts name is found by walking the chain, without the service', async () => {
    const before = pages().service.requests.length
    const page = await open('/explore')
    await page.getByRole('link', { name: 'Look for receipts that contradict one another' }).click()
    await page.getByText('You can stop it at any time.').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Search all receipts' }).click()
    await page.getByText('None found').waitFor()
    const [first, second] = [mint(70), mint(71, 70)]
    for (const minted of [first, second]) await publishMinted(pages(), minted)
    await page.getByRole('button', { name: 'Search again' }).click()
    await page.getByRole('alert').getByText('1 found.').waitFor()
    await page.getByText('One entropy sample in two receipts').waitFor()
    await page.getByText(first.receipt.entropy.value).waitFor()
    await expectAccessible(page)
    expect(
      pages()
        .askedSince(before)
        .filter((line) => !line.startsWith('GET /ipfs/')),
    ).toEqual([])
    await page.getByRole('link', { name: new RegExp(`${second.evidence.cid.slice(-8)}$`) }).click()
    await page.getByRole('heading', { name: 'Receipt by its CID' }).waitFor()
  })

  test('a search can be stopped, says how far it came, and a chain that is away is an error with a way out', async () => {
    const page = await open('/explore/contradictions', darkPhone)
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/ipfs/**', async (route) => {
      await held
      await route.continue()
    })
    await page.getByRole('button', { name: 'Search all receipts' }).click()
    await page.getByText(/searched up to block 0 of \d+/).waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    release()
    await page.getByText('The search was not finished').waitFor()
    await expectAccessible(page)
    await page.route('**/rpc', (route) => route.abort())
    await page.getByRole('button', { name: 'Search again' }).click()
    await page.getByRole('alert').getByText('The search ended early.').waitFor()
    await page.unroute('**/rpc')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText(/\d+ events read; searched up to block \d+/).waitFor()
  })
}
