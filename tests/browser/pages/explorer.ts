import { expect, test } from 'vitest'
import { parseEther } from 'viem'
import { testClient } from '@perigee/sdk/testing'
import { birthSteps, stepNames } from '@perigee/core/receipt/verify'
import { mintReceipt, type Minted } from '../../../core/receipt/testing/mintReceipt.js'
import { createSimulatedWorld, sampleEntropy } from '../../../core/receipt/testing/simulatedWorld.js'
import { valueOf } from '../../../core/receipt/gather/testing/sampleWallet.js'
import { darkPhone, expectAccessible, type Opener } from '../../harness/browser/openPages.js'
import { publish, publishMinted } from './publishMinted.js'
import type { Pages } from './startPages.js'

const to = '0x00000000000000000000000000000000000000aa'

/** Receipts, transactions and wallets, found on IPFS and the chain without the service. */
export function describeExplorer(pages: () => Pages, mint: (nonce: number) => Minted, { open }: Opener): void {
  test('the search field says what it does not know', async () => {
    const page = await open('/explore')
    await page.getByLabel('Look up a proof').fill('0x1234')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByRole('alert').getByText('Not recognised.').waitFor()
    await expectAccessible(page)
  })

  test('an address that can name nothing says so, and no gateway is asked', async () => {
    for (const path of ['/r/hello', '/t/0x12', '/w/0xabc', '/p/']) {
      const page = await open(path)
      await page.getByRole('heading', { name: 'Nothing here' }).waitFor()
      await expectAccessible(page)
    }
  })

  test('a transaction leads to its receipt, which verifies by its CID alone, without the service', async () => {
    const minted = mint(3)
    await publishMinted(pages(), minted)
    const before = pages().service.requests.length
    const page = await open(`/t/${minted.receipt.transaction.txHash}`, darkPhone)
    await page.getByRole('link', { name: 'Open and verify the receipt' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Open and verify the receipt' }).click()
    await page.getByText('hashed here: they are what this CID names').waitFor()
    await page.getByText('Simulated hardware.').waitFor()
    await page.getByRole('button', { name: 'Verify in this browser' }).click()
    await page.getByText(`${stepNames.length} of ${stepNames.length} checks passed`).waitFor()
    await expectAccessible(page)
    const times = page.getByRole('region', { name: 'Times' })
    for (const words of ['signedAt', 'by the enclave’s clock', 'blockTime', 'by the chain'])
      await times.getByText(words).waitFor()
    await page.getByText('UpToDate, checked just now with the vendor’s collateral of').waitFor()
    await page.getByRole('button', { name: 'Try it with a forged amount' }).click()
    await page.getByText('Not verified.').waitFor()
    expect(pages().askedSince(before)).toEqual([])
  })

  test('firmware now is checked with the newest published collateral, when the receipt’s own is out of date', async () => {
    const old = await createSimulatedWorld(Math.floor(Date.now() / 1000) - 100 * 86_400) // the same keys, a hundred days ago
    const minted = mintReceipt(old, {
      transaction: { chainId: pages().service.chainId, nonce: 30 },
      entropy: sampleEntropy('30', old.signedAt - 5, valueOf(30)),
    })
    await publishMinted(pages(), minted, { birth: false }) // of the same key, a hundred days ago
    const page = await open(`/r/${minted.evidence.cid}`)
    await page.getByRole('button', { name: 'Verify in this browser' }).click()
    await page.getByText('the newest published receipts have nothing newer').waitFor()
    await page.getByText('The enclave’s clock and the block are 100 days apart.').waitFor()
    await publishMinted(pages(), mint(31))
    await page.getByRole('button', { name: 'Verify in this browser' }).click()
    await page.getByText('taken from the newest published receipt').waitFor()
    await expectAccessible(page)
  })

  test('a receipt that is not there, and bytes that are none, are told apart', async () => {
    const { evidence } = mint(4)
    const page = await open(`/r/${evidence.cid}`)
    await page.getByRole('alert').getByText('The receipt could not be fetched.').waitFor()
    await expectAccessible(page)
    pages().blocks.set(evidence.cid, new TextEncoder().encode('other bytes'))
    await page.getByRole('button', { name: 'Try again' }).click()
    await page
      .getByRole('alert')
      .getByText(/CID|hash/)
      .first()
      .waitFor()
    pages().blocks.set(evidence.cid, evidence.receipt)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'What the receipt says' }).waitFor()
  })

  test('a transaction without an event says so', async () => {
    const page = await open(`/t/0x${'12'.repeat(32)}`)
    await page.getByRole('heading', { name: 'No receipt is published for it' }).waitFor()
    await expectAccessible(page)
  })

  test('a wallet’s page says whether any nonce lacks a receipt', async () => {
    const client = testClient(pages().service, 'grace@example.test') // nobody else's transactions in the count
    const wallet = await client.api.provisionWallet()
    pages().service.setBalance(wallet.address, parseEther('10'))
    const slugs: string[] = []
    for (let i = 0; i < 12; i++) slugs.push((await client.signAndSend({ to, value: '0.01' })).attestationSlug)
    for (const slug of slugs.slice(0, -1)) await pages().service.complete(slug)
    const count = await client.publicClient.getTransactionCount({ address: wallet.address })
    const page = await open(`/w/${wallet.address}`, darkPhone)
    await page.getByText('Not known yet.').waitFor()
    await page.locator('.history .chip', { hasText: `nonce ${count - 2}` }).waitFor()
    expect(await page.locator('.history li').count()).toBe(10)
    await page.getByRole('button', { name: /^Load more/ }).click()
    await page.getByText(`1 of ${count} nonces lack a receipt:`).waitFor()
    await page.getByText(new RegExp(`: ${count - 1}\\. `)).waitFor()
    await expectAccessible(page)
    await pages().service.complete(slugs.at(-1) as string)
    await page.reload()
    await page.getByRole('button', { name: /^Load more/ }).click()
    await page.getByText('A receipt is published for every nonce.').waitFor()
    await page.getByText(`All ${count} transactions of this wallet`).waitFor()
  })

  test('an event that points to another transaction’s receipt does not count for its nonce', async () => {
    const [true_, other] = [mint(5), mint(6)]
    await publishMinted(pages(), true_)
    await publish(pages(), other.receipt.transaction.from, other.receipt.transaction.txHash, true_.evidence.cid)
    const page = await open(`/w/${other.receipt.transaction.from}`)
    await page.getByText('The receipt is about another transaction than the event says.').waitFor()
    await page.getByRole('button', { name: 'Read the failed ones again' }).waitFor()
    await page.getByText('for a transaction that the local chain has not included').waitFor()
    await expectAccessible(page)
  })

  test('a wallet begins with its birth, which opens and verifies in this browser', async () => {
    const minted = mint(50)
    await publishMinted(pages(), minted)
    const page = await open(`/w/${minted.birth.key.address}`)
    await page.getByRole('heading', { name: 'Birth of its key' }).waitFor()
    await page.getByText('in a simulated enclave').waitFor()
    await page.getByText('As the receipt says, not verified yet').waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Open and verify its birth' }).click()
    await page.getByText('The birth of this wallet: its key was made.').waitFor()
    await page.getByRole('button', { name: 'Verify in this browser' }).click()
    await page.getByText(`${birthSteps.length} of ${birthSteps.length} checks passed`).waitFor()
    await page.getByRole('button', { name: 'Try it with a forged date' }).click()
    await page.getByText('one digit of the date was changed').waitFor()
    await expectAccessible(page)
  })

  test('an unknown wallet is empty, and a chain that does not answer is an error with a way out', async () => {
    const page = await open(`/w/0x${'77'.repeat(20)}`)
    await page.getByText('No birth receipt is published for this address.').waitFor()
    await page.getByText('This wallet has sent nothing on the local chain yet.').waitFor()
    await page.getByText('None. Either this wallet is not one of ours').waitFor()
    await page.route('**/rpc', (route) => route.abort())
    await page.reload()
    await page.getByRole('alert').getByText('The chain could not be read.').waitFor()
    await expectAccessible(page)
    await page.unroute('**/rpc')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('None. Either this wallet is not one of ours').waitFor()
  })
}
