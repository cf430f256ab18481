import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stepNames, type ReceiptVerdict } from '@perigee/core/receipt/verify'
import { nodeOf } from '../../core/receipt/gather/testing/nodeOf.js'
import { createCases } from '../../core/receipt/testing/cases/createCases.js'
import type { Expected, ReceiptCase } from '../../core/receipt/testing/cases/receiptCase.js'
import { jsonOf, runInProcess } from '../../verifier/testing/runInProcess.js'
import { describeInChromium } from '../harness/browser/chromium.js'
import { openModule, type OpenModule } from '../harness/browser/openModule.js'
import type { PageAnswer, PageQuestion } from './pageVerdict.js'

type Answer = ReceiptVerdict | { code: string }
const cases = await createCases()
const verdicts = new Map<string, Answer>()
let server: Server
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'perigee-cases-'))
  server = createServer((request, response) => {
    const [, index, ...rest] = (request.url ?? '').split('/')
    const one = cases[Number(index)]!
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      response.setHeader('access-control-allow-origin', '*')
      response.setHeader('access-control-allow-headers', '*')
      if (request.method !== 'POST') {
        const bytes = one.blocks[rest[1]?.split('?')[0] ?? '']
        response.statusCode = request.method === 'OPTIONS' ? 204 : bytes === undefined ? 404 : 200
        return response.end(bytes)
      }
      const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString()) as {
        id: number
        method: string
        params: unknown[]
      }
      const result = await nodeOf(one.events, { releases: one.releases })(method, params)
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true })
})

const urlOf = (one: ReceiptCase) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/${cases.indexOf(one)}`

/** What a reader sees first. */
function conclusionOf(answer: Answer): Expected {
  if (!('steps' in answer)) return { noVerdict: answer.code as never }
  if (answer.verified) return 'verified'
  const first = answer.steps.find(({ status }) => status === 'fail')!
  return [first.step, first.code!]
}

test('the cases are of every kind: each step fails in some, and each fails for one reason first', () => {
  expect(cases.length).toBeGreaterThan(60)
  expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length)
  const failing = new Set(cases.flatMap(({ expected }) => (Array.isArray(expected) ? [expected[0] as string] : [])))
  // A CID that does not fit gives no verdict at all: the bytes are refused before any step.
  expect(stepNames.filter((step) => !failing.has(step))).toEqual(['cid'])
})

test.each(cases)('the CLI’s verdict on $name', async (one) => {
  await writeFile(join(folder, 'trust.json'), JSON.stringify(one.anchors))
  const url = urlOf(one)
  const places = ['--gateway', url, '--rpc', url, '--trust', 'trust.json', '--json']
  const outcome = await runInProcess([one.cid, ...places], folder, one.now)
  const answer = jsonOf(outcome) as unknown as Answer
  verdicts.set(one.name, answer)
  expect(conclusionOf(answer)).toEqual(one.expected)
  expect(outcome.exit).toBe(one.expected === 'verified' ? 0 : 1)
})

describeInChromium('the page in Chromium', (browser) => {
  let page: OpenModule
  beforeAll(async () => {
    page = await openModule(browser(), `export { verdictOn } from './pageVerdict.js'`, import.meta.dirname)
  })
  afterAll(() => page?.close())

  test.each(cases)('says the same about $name', async (one) => {
    const { cid, anchors, now } = one
    const question: PageQuestion = { cid, anchors, now, url: urlOf(one) }
    const answer = (await page.call('verdictOn', question)) as PageAnswer
    const fromCli = verdicts.get(one.name)!
    if (!('steps' in fromCli)) return expect(answer).toEqual({ code: fromCli.code })
    // The CLI adds whom it trusted and what it could not fetch.
    expect(answer).toMatchObject({ showsFacts: fromCli.verified })
    expect(fromCli).toMatchObject((answer as { verdict: object }).verdict)
    return undefined
  })
})
