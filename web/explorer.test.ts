import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { fundedClient } from '@perigee/sdk/testing'
import { mintReceipt, type Minted } from '../core/receipt/testing/mintReceipt.js'
import {
  anchorsOf,
  createSimulatedWorld,
  sampleEntropy,
  type SimulatedWorld,
} from '../core/receipt/testing/simulatedWorld.js'
import { chromiumMissing, findChromium, launchChromium } from '../tests/harness/chromium.js'
import { createOpener, expectAccessible } from './testing/openPages.js'
import { publish, publishMinted } from './testing/publishMinted.js'
import { startPages, type Pages } from './testing/startPages.js'

const to = '0x00000000000000000000000000000000000000aa'
const executable = findChromium()
const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const

describe.skipIf(!executable)(`the explorer in Chromium${executable ? '' : ` (${chromiumMissing})`}`, () => {
  let world: SimulatedWorld
  let pages: Pages
  let browser: Browser
  const { open, expectNoProblems } = createOpener(
    () => browser,
    () => pages.url,
  )

  beforeAll(async () => {
    world = await createSimulatedWorld(Math.floor(Date.now() / 1000) - 120)
    const anchors = anchorsOf(world)
    pages = await startPages({ trustAnchors: anchors, contractAddress: anchors.contracts[0]!.address })
    browser = await launchChromium(executable as string)
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    await pages?.close()
  })
  afterEach(expectNoProblems)

  const mint = (nonce: number): Minted =>
    mintReceipt(world, {
      transaction: { chainId: pages.service.chainId, nonce },
      entropy: sampleEntropy(String(nonce), world.signedAt - 5),
    })

  async function search(text: string) {
    const page = await open('/explore')
    await page.getByLabel('Look up a proof').fill(text)
    await page.getByRole('button', { name: 'Open' }).click()
    return page
  }

  test('one field leads to proof, receipt, transaction and wallet, and says what it does not know', async () => {
    const { client, wallet } = await fundedClient(pages.service)
    const { attestationSlug, txHash } = await client.signAndSend({ to, value: '0.5' })
    await pages.service.complete(attestationSlug)
    const { ipfsCid } = await client.waitForProof(attestationSlug)
    for (const [text, heading] of [
      [`https://perigee.example/p/${attestationSlug}`, 'This signature has a complete public proof'],
      [ipfsCid as string, 'Receipt by its CID'],
      [txHash, 'Receipts of a transaction'],
      [wallet.address, 'Receipts of a wallet'],
    ] as const) {
      await (await search(text)).getByRole('heading', { name: heading }).waitFor()
    }
    const page = await search('0x1234')
    await page.getByRole('alert').getByText('That is none of them.').waitFor()
    await expectAccessible(page)
  })

  test('a transaction leads to its receipt, which verifies by its CID alone, without the service', async () => {
    const minted = mint(3)
    await publishMinted(pages, minted)
    const before = pages.service.requests.length
    const page = await open(`/t/${minted.receipt.transaction.txHash}`, phone)
    await page.getByRole('link', { name: 'Open and verify the receipt' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Open and verify the receipt' }).click()
    await page.getByText('hashed here: they are what this CID names').waitFor()
    await page.getByText('Simulated hardware.').waitFor()
    await page.getByRole('button', { name: 'Verify in this browser' }).click()
    await page.getByText('15 of 15 checks passed').waitFor({ timeout: 30_000 })
    await expectAccessible(page)
    await page.getByText('UpToDate, judged just now with the vendor’s collateral of').waitFor()
    await page.getByRole('button', { name: 'Try it with a forged amount' }).click()
    await page.getByText('Not verified.').waitFor()
    expect(pages.service.requests.slice(before).filter((line) => !line.startsWith('RPC'))).toEqual([])
  })

  test('a false answer of the service is refused: the verdict is about what the page shows', async () => {
    const [asked, other] = [mint(40), mint(41)]
    for (const minted of [asked, other]) await publishMinted(pages, minted)
    const slug = 'A'.repeat(24)
    const honest = {
      slug,
      txHash: asked.receipt.transaction.txHash,
      chainId: asked.receipt.transaction.chainId,
      walletAddress: asked.receipt.transaction.from,
      status: 'complete',
      ipfsCid: asked.evidence.cid,
      ipfsUrl: null,
      onchainTxHash: null,
      onchainBlockNumber: null,
      kmsQuoteVerified: true,
      receipt: asked.receipt,
      createdAt: asked.receipt.issuedAt,
    }
    const verify = async (answer: object) => {
      const page = await open('/icon.svg')
      await page.route(`${pages.service.url}/proof/**`, (route) =>
        route.fulfill({ json: answer, headers: { 'access-control-allow-origin': '*' } }),
      )
      await page.goto(`${pages.url}/p/${slug}`)
      await page.getByRole('button', { name: 'Verify in this browser' }).click()
      return page
    }
    await (await verify(honest)).getByText('15 of 15 checks passed').waitFor({ timeout: 30_000 })
    for (const lie of [
      { ipfsCid: other.evidence.cid },
      { txHash: other.receipt.transaction.txHash },
      { walletAddress: `0x${'01'.repeat(20)}` },
      { chainId: 1 },
      { receipt: { ...asked.receipt, transaction: { ...asked.receipt.transaction, value: '1' } } },
    ]) {
      const page = await verify({ ...honest, ...lie })
      await page.getByRole('alert').getByText('Not verified: the service’s answer is false.').waitFor()
      expect(await page.getByText('checks passed').count()).toBe(0)
    }
  })

  test('firmware now is judged with the newest published collateral, when the receipt’s own is out of date', async () => {
    const old = await createSimulatedWorld(world.signedAt - 100 * 86_400) // the same keys, a hundred days ago
    const minted = mintReceipt(old, {
      transaction: { chainId: pages.service.chainId, nonce: 30 },
      entropy: sampleEntropy('30', old.signedAt - 5),
    })
    await publishMinted(pages, minted)
    const page = await open(`/r/${minted.evidence.cid}`)
    await page.getByRole('button', { name: 'Verify in this browser' }).click()
    await page.getByText('neither the newest published receipts nor you gave newer').waitFor({ timeout: 30_000 })
    await publishMinted(pages, mint(31))
    await page.getByRole('button', { name: 'Verify in this browser' }).click()
    await page.getByText('taken from the newest published receipt').waitFor({ timeout: 30_000 })
    await expectAccessible(page)
  })

  test('a receipt that is not there, and bytes that are none, are told apart', async () => {
    const { evidence } = mint(4)
    const page = await open(`/r/${evidence.cid}`)
    await page.getByRole('alert').getByText('The receipt could not be had.').waitFor()
    await expectAccessible(page)
    pages.blocks.set(evidence.cid, new TextEncoder().encode('other bytes'))
    await page.getByRole('button', { name: 'Try again' }).click()
    await page
      .getByRole('alert')
      .getByText(/CID|hash/)
      .first()
      .waitFor()
    pages.blocks.set(evidence.cid, evidence.receipt)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'What the receipt says' }).waitFor()
  })

  test('a transaction without an event says so', async () => {
    const page = await open(`/t/0x${'12'.repeat(32)}`)
    await page.getByRole('heading', { name: 'No receipt is published for it' }).waitFor()
    await expectAccessible(page)
  })

  test('a wallet’s page says whether any nonce lacks a receipt', { timeout: 60_000 }, async () => {
    const { client, wallet } = await fundedClient(pages.service)
    const slugs: string[] = []
    for (let i = 0; i < 12; i++) slugs.push((await client.signAndSend({ to, value: '0.01' })).attestationSlug)
    for (const slug of slugs.slice(0, -1)) await pages.service.complete(slug)
    const count = await client.publicClient.getTransactionCount({ address: wallet.address })
    const page = await open(`/w/${wallet.address}`, phone)
    await page.getByText('Not known yet.').waitFor()
    await page.locator('.history .chip', { hasText: `nonce ${count - 2}` }).waitFor()
    expect(await page.locator('.history li').count()).toBe(10)
    await page.getByRole('button', { name: /^Load more/ }).click()
    await page.getByText(`1 of ${count} nonces lack a receipt:`).waitFor()
    await page.getByText(new RegExp(`: ${count - 1}\\. `)).waitFor()
    await expectAccessible(page)
    await pages.service.complete(slugs.at(-1) as string)
    await page.reload()
    await page.getByRole('button', { name: /^Load more/ }).click()
    await page.getByText('No nonce lacks a receipt.').waitFor()
    await page.getByText(`All ${count} transactions of this wallet`).waitFor()
  })

  test('an event that points to another transaction’s receipt does not count for its nonce', async () => {
    const [true_, other] = [mint(5), mint(6)]
    await publishMinted(pages, true_)
    await publish(pages, other.receipt.transaction.from, other.receipt.transaction.txHash, true_.evidence.cid)
    const page = await open(`/w/${other.receipt.transaction.from}`)
    await page.getByText('The receipt is about another transaction than the event says.').waitFor()
    await page.getByRole('button', { name: 'Read the failed ones again' }).waitFor()
    await page.getByText('for a transaction that the local chain has not included').waitFor()
    await expectAccessible(page)
  })

  test('an unknown wallet is empty, and a chain that does not answer is an error with a way out', async () => {
    const page = await open(`/w/0x${'77'.repeat(20)}`)
    await page.getByText('This wallet has sent nothing on the local chain yet.').waitFor()
    await page.getByText('None. Either this wallet is not one of ours').waitFor()
    await page.route('**/rpc', (route) => route.abort())
    await page.reload()
    await page.getByRole('alert').getByText('The chain could not be read.').waitFor({ timeout: 20_000 })
    await expectAccessible(page)
    await page.unroute('**/rpc')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('None. Either this wallet is not one of ours').waitFor()
  })
})
