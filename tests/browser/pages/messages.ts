import { expect, test } from 'vitest'
import { messageSteps } from '@perigee/core/receipt/verify'
import { permit } from '../../../core/message/testing/typedData.js'
import { mintMessage } from '../../../core/receipt/testing/mintMessage.js'
import { proofOf } from '../../../core/receipt/testing/proofOf.js'
import { sampleEntropy, type SimulatedWorld } from '../../../core/receipt/testing/simulatedWorld.js'
import { valueOf } from '../../../core/receipt/gather/testing/sampleWallet.js'
import { darkPhone, expectAccessible, type Opener } from '../../harness/browser/openPages.js'
import { publishMinted } from './publishMinted.js'
import type { Pages } from './startPages.js'

/** The receipt of a message: what it hides, and how a visitor opens it. */
export function describeMessages(pages: () => Pages, world: () => SimulatedWorld, { open }: Opener): void {
  test('a message’s proof hides its content; a pasted opening shows it, by keyboard alone, and is never sent', async () => {
    const entropy = sampleEntropy('60', world().signedAt - 5, valueOf(60))
    const minted = mintMessage(world(), { scheme: 'eip712', typedData: permit }, { entropy })
    const { receipt, opening } = minted
    await publishMinted(pages(), minted)
    const proof = { ...proofOf(minted, 'a-message'), onchainTxHash: null, onchainBlockNumber: null }
    const page = await open('/explore', darkPhone)
    const sent: string[] = []
    page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''} ${JSON.stringify(request.headers())}`)) // prettier-ignore
    await page.route(`**/proof/${proof.slug}`, (route) => route.fulfill({ json: proof }))
    await page.goto(`${pages().url}/p/${proof.slug}`)
    await page.getByText('Hidden, and so is the signature').waitFor()
    await page.getByText('What it does not').waitFor()
    await expectAccessible(page)

    const field = page.getByLabel('The opening that the signer gave you')
    await field.focus()
    await page.keyboard.insertText('{"version":"perigee-opening/1"}')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('opening_invalid').waitFor()
    const passed = messageSteps.length - 1
    await page
      .getByText(`${passed} of ${messageSteps.length} checks passed. Not checked: the opening, see below.`)
      .waitFor()
    await expectAccessible(page)

    await field.fill(JSON.stringify(opening))
    await field.press('Tab')
    await page.keyboard.press('Enter')
    const tree = page.getByRole('region', { name: 'The typed data' })
    await tree.getByText('zwei 🚀').waitFor()
    await page.getByText('Checked by your browser.').waitFor()
    await expectAccessible(page)
    const stored = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state])',
    )
    for (const secret of [opening.salt.slice(2), opening.signature.slice(2), 'zwei', 'Permit2']) {
      expect(sent.filter((line) => line.includes(secret))).toEqual([])
      expect(stored).not.toContain(secret)
    }
    expect(sent.length).toBeGreaterThan(5)

    await page.goto(`${pages().url}/w/${receipt.message.from}`)
    await page.getByText('Signed typed data').waitFor()
    await expectAccessible(page)
  })
}
