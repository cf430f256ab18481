import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSnpCases } from '../../core/snp/testing/snpCases.js'
import { codeOf, fixtureCases, fixtureCollateral, fixtureFile } from '../../core/tdx/testing/fixtures.js'
import { createTdxCases } from '../../core/tdx/testing/tdxCases.js'
import { describeInChromium } from '../harness/browser/chromium.js'
import { openModule, type OpenModule } from '../harness/browser/openModule.js'

const core = resolve(import.meta.dirname, '../../core')
// Relative to `core`.
const contents = `
  import { verifyQuote as quote } from './tdx/index.js'
  import { verifySnpReport as report } from './snp/index.js'
  const answer = (verifier) => async (...args) => {
    try {
      const verdict = await verifier(...args)
      return 'accepted ' + (verdict.tcbStatus ?? '') + (verdict.advisoryIds ?? []).join()
    } catch (error) {
      return error.code ?? String(error)
    }
  }
  export const verifyQuote = answer(quote)
  export const verifySnpReport = answer(report)`

interface Task {
  name: string
  verifier: 'verifyQuote' | 'verifySnpReport'
  args: unknown[]
  expected: string
}

describeInChromium('the verifiers in Chromium', (browser) => {
  let page: OpenModule
  beforeAll(async () => {
    page = await openModule(browser(), contents, core)
  })
  afterAll(() => page?.close())

  test('give the same answers as in Node on minted quotes', async () => expectSameAnswers(await mintedQuotes()))
  test('give the same answers as in Node on minted reports', async () => expectSameAnswers(await mintedReports()))
  test.skipIf(fixtureCases('tdx').length === 0)(
    'give the adjudicated verdicts on real quotes and reports (shared fixtures)',
    async () => expectSameAnswers([...fixtureQuotes(), ...fixtureReports()]),
  )

  async function expectSameAnswers(tasks: Task[]): Promise<void> {
    const answers: string[] = []
    for (const { name, verifier, args } of tasks) answers.push(`${name}: ${await page.call(verifier, ...args)}`)
    expect(answers).toEqual(tasks.map(({ name, expected }) => `${name}: ${expected}`))
    expect(tasks.length).toBeGreaterThan(10)
  }
})

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
