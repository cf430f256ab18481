import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSnpCases } from '../../core/snp/testing/snpCases.js'
import { codeOf, fixtureCases, fixtureCollateral, fixtureFile } from '../../core/tdx/testing/fixtures.js'
import { createTdxCases } from '../../core/tdx/testing/tdxCases.js'
import { chromiumMissing, findChromium, launchChromium } from '../harness/chromium.js'

const executable = findChromium()
if (!executable) test.skip(`the verifiers agree in Chromium (${chromiumMissing})`)

/** What the page gets: a verifier's name and its arguments, bytes in disguise because only JSON-like values travel. */
interface Task {
  name: string
  verifier: 'verifyQuote' | 'verifySnpReport'
  args: unknown[]
  expected: string
}

describe.skipIf(!executable)('the verifiers in Chromium', () => {
  let server: Server
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      if (request.url !== '/verifiers.js') return response.setHeader('content-type', 'text/html').end('<!doctype html>')
      return response.setHeader('content-type', 'text/javascript').end(await bundleVerifiers())
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    browser = await launchChromium(executable as string)
    page = await browser.newPage()
    // Loopback is a secure context, which WebCrypto asks for.
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    await page.addScriptTag({ url: '/verifiers.js', type: 'module' })
    await page.waitForFunction('globalThis.verifiers !== undefined')
  }, 120_000)

  afterAll(async () => {
    await browser?.close()
    server?.close()
  })

  test(
    'give the same answers as in Node on minted quotes',
    async () => expectSameAnswers(await mintedQuotes()),
    120_000,
  )
  test(
    'give the same answers as in Node on minted reports',
    async () => expectSameAnswers(await mintedReports()),
    120_000,
  )
  test.skipIf(fixtureCases('tdx').length === 0)(
    'give the adjudicated verdicts on real quotes and reports (shared fixtures)',
    async () => expectSameAnswers([...fixtureQuotes(), ...fixtureReports()]),
    120_000,
  )

  async function expectSameAnswers(tasks: Task[]): Promise<void> {
    const sent = tasks.map(({ verifier, args }) => ({ verifier, args: disguise(args) }))
    const answers = await page.evaluate(async (list) => {
      // @ts-expect-error set by the bundle
      const { run } = globalThis.verifiers as { run: (verifier: string, args: unknown) => Promise<string> }
      const results: string[] = []
      for (const { verifier, args } of list) results.push(await run(verifier, args))
      return results
    }, sent)
    const wanted = tasks.map(({ name, expected }) => `${name}: ${expected}`)
    expect(answers.map((answer, i) => `${(tasks[i] as Task).name}: ${answer}`)).toEqual(wanted)
    expect(tasks.length).toBeGreaterThan(10)
  }
})

/** One browser bundle of the two verifiers, with nothing of Node in it. */
async function bundleVerifiers(): Promise<string> {
  const core = fileURLToPath(new URL('../../core', import.meta.url))
  const contents = `
    import { verifyQuote } from './tdx/index.js'
    import { verifySnpReport } from './snp/index.js'
    const reveal = (value) => {
      if (Array.isArray(value)) return value.map(reveal)
      if (typeof value !== 'object' || value === null) return value
      if (typeof value.$bytes === 'string') return Uint8Array.from(atob(value.$bytes), (c) => c.charCodeAt(0))
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, reveal(item)]))
    }
    globalThis.verifiers = {
      async run(verifier, args) {
        try {
          const verdict = await { verifyQuote, verifySnpReport }[verifier](...reveal(args))
          return 'accepted ' + (verdict.tcbStatus ?? '') + (verdict.advisoryIds ?? []).join()
        } catch (error) {
          return error.code ?? String(error)
        }
      },
    }`
  const result = await build({
    stdin: { contents, resolveDir: core, loader: 'js' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
  })
  return result.outputFiles[0]?.text ?? ''
}

function disguise(value: unknown): unknown {
  if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString('base64') }
  if (Array.isArray(value)) return value.map(disguise)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, disguise(item)]))
}

async function mintedQuotes(): Promise<Task[]> {
  return (await createTdxCases()).map(({ name, quote, collateral, root, now, expect: wanted }) => ({
    name,
    verifier: 'verifyQuote',
    args: [quote, collateral, root, now],
    expected: 'code' in wanted ? wanted.code : `accepted ${wanted.tcbStatus}${wanted.advisoryIds.join()}`,
  }))
}

async function mintedReports(): Promise<Task[]> {
  return (await createSnpCases()).map(({ name, evidence, options, expect: wanted }) => ({
    name,
    verifier: 'verifySnpReport',
    args: [evidence, options],
    expected: 'code' in wanted ? wanted.code : 'accepted ',
  }))
}

function fixtureQuotes(): Task[] {
  return fixtureCases('tdx').map((item) => ({
    name: item.name,
    verifier: 'verifyQuote',
    args: [
      fixtureFile('tdx', item['quote']),
      fixtureCollateral(item['collateral']),
      fixtureFile('tdx', item['root']),
      item.nowUnix,
    ],
    expected: item.expect.accept
      ? `accepted ${item.expect.tcbStatus}${item.expect.advisoryIds?.join() ?? ''}`
      : codeOf(item.expect.reason as string),
  }))
}

function fixtureReports(): Task[] {
  return fixtureCases('snp').map((item) => {
    const file = (name: string) => fixtureFile('snp', item[name])
    const evidence = {
      report: file('report'),
      vek: file('vek'),
      intermediate: file('intermediate'),
      root: file('root'),
    }
    const options = { now: item.nowUnix, ...(typeof item.expectVmpl === 'number' ? { vmpl: item.expectVmpl } : {}) }
    const expected = item.expect.accept ? 'accepted ' : codeOf(item.expect.reason as string)
    return { name: item.name, verifier: 'verifySnpReport', args: [evidence, options], expected }
  })
}
