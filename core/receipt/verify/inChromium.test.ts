import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { build } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumMissing, findChromium, launchChromium } from '../../../tests/harness/chromium.js'
import { cidOf } from '../../bytes/index.js'
import { receiptBytes } from '../buildReceipt.js'
import { eventOf, mintReceipt } from '../testing/mintReceipt.js'
import { createSimulatedWorld } from '../testing/simulatedWorld.js'
import { vendorAnchors } from '../vendorAnchors.js'
import type { ReceiptEvidence } from './types.js'
import { verifyReceipt } from './verifyReceipt.js'

const executable = findChromium()
if (!executable) test.skip(`a receipt gets the same verdict in Chromium (${chromiumMissing})`)

/** Everything the proof page needs; esbuild refuses a bundle that asks for Node. */
async function bundle(): Promise<string> {
  const contents = `
    import { verifyReceipt } from './index.js'
    const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0))
    globalThis.check = ({ receipt, collateral, ...rest }, options) =>
      verifyReceipt({ ...rest, receipt: bytes(receipt), collateral: bytes(collateral) }, options)`
  const result = await build({
    stdin: { contents, resolveDir: import.meta.dirname, loader: 'js' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
  })
  return result.outputFiles[0]?.text ?? ''
}

describe.skipIf(!executable)('verifyReceipt in Chromium', () => {
  let server: Server
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    const script = await bundle()
    server = createServer((request, response) => {
      const isScript = request.url === '/check.js'
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
      response.end(isScript ? script : '<!doctype html>')
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    browser = await launchChromium(executable as string)
    page = await browser.newPage()
    // Loopback is a secure context, which WebCrypto asks for.
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    await page.addScriptTag({ url: '/check.js', type: 'module' })
    await page.waitForFunction('globalThis.check !== undefined')
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    server?.close()
  })

  test('gives the same verdict as in Node, step by step', { timeout: 120_000 }, async () => {
    const world = await createSimulatedWorld()
    const { evidence, anchors, receipt } = mintReceipt(world)
    const spoiled = structuredClone(receipt)
    spoiled.transaction.value = '1'
    const bytes = receiptBytes(spoiled)
    const published = { receipt: bytes, cid: cidOf(bytes), events: [eventOf(spoiled, cidOf(bytes))] }
    const cases = [
      { evidence, anchors, verified: true },
      { evidence: mintReceipt(world, { quoteVersion: 5 }).evidence, anchors, verified: true },
      { evidence: { ...evidence, ...published }, anchors, verified: false },
      { evidence: { ...evidence, receipt: bytes }, anchors, verified: false },
      { evidence, anchors: vendorAnchors(), verified: false },
    ]
    for (const { evidence: given, anchors: trusted, verified } of cases) {
      const inNode = await verifyReceipt(given, { anchors: trusted })
      const inBrowser = await page.evaluate(
        // @ts-expect-error set by the bundle
        ([one, options]) => globalThis.check(one, options) as unknown,
        [disguise(given), { anchors: trusted }] as const,
      )
      expect(inBrowser).toEqual(inNode)
      expect(inNode.verified).toBe(verified)
    }
  })
})

const base64 = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('base64')
const disguise = (given: ReceiptEvidence) => ({
  ...given,
  receipt: base64(given.receipt),
  collateral: base64(given.collateral),
})
