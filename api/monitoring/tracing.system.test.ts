import { readFile } from 'node:fs/promises'
import { Worker } from '@temporalio/worker'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transactionDigest, type Hex } from '@perigee/core'
import {
  createWorkerDataConverter,
  openTracing,
  parseCodecKeys,
  workflowIds,
  type Tracing,
} from '../../temporal/index.js'
import { testCodecKey } from '../../temporal/testing/keepHistory.js'
import { startCollector } from '../../temporal/testing/startCollector.js'
import { cachedBundle, cachedTracedBundle } from '../../temporal/bundle/cachedBundle.js'
import { startService, type TestService } from '../../tests/rigs/workers/startService.js'
import { exampleTransaction } from '../testing/exampleTransaction.js'
import { realDeps } from '../testing/realDeps.js'
import { startTestApi, type TestApi } from '../../tests/rigs/api/startTestApi.js'

let collector: Awaited<ReturnType<typeof startCollector>>
let tracing: Tracing
let service: TestService
let api: TestApi
beforeAll(async () => {
  collector = await startCollector()
  tracing = await openTracing({ endpoint: collector.endpoint }, 'perigee-test')
  service = await startService({ tracing, workflowBundle: await cachedTracedBundle() })
  await service.startWorkers()
  api = await startTestApi({
    settings: { chainIds: [exampleTransaction.chainId] },
    deps: { ...realDeps(service), tracing },
  })
})
afterAll(async () => {
  await api?.close()
  await service?.close()
  await collector?.close()
})

test('one trace leads from the HTTP request through the workflows to every activity, and tells no secret', async () => {
  const browser = await api.signIn('traced@example.test')
  expect((await api.post(browser, '/wallet/provision')).status).toBe(200)
  const digest = transactionDigest(exampleTransaction)
  // A caller's trace headers are ignored.
  const forged = { traceparent: '00-11111111111111111111111111111111-2222222222222222-01' }
  const answer = await api.post(browser, '/sign/digest', { digest, txMetadata: exampleTransaction }, forged)
  expect(answer.status).toBe(200)
  const { signature, slug } = (await answer.json()) as { signature: Hex; slug: string }
  await service.publicationOf(slug)
  const history = await service.client.workflow.getHandle(workflowIds.receipt(slug)).fetchHistory()
  await service.stopWorkers()
  await tracing.close()

  const root = collector.spans.find(({ name }) => name === 'POST /sign/digest')
  const trace = collector.spans.filter(({ traceId }) => traceId === root?.traceId)
  const names = new Set(trace.map(({ name }) => name))
  expect(root?.parentSpanId ?? '').toBe('')
  expect(root?.traceId).not.toBe('11111111111111111111111111111111')
  expect(root?.attributes).toMatchObject({ 'http.route': '/sign/digest', 'http.response.status_code': 200 })
  for (const name of [
    'UpdateWithStartWorkflow:sign',
    'RunWorkflow:signDigest',
    'HandleUpdate:sign',
    'StartChildWorkflow:publishReceipt',
    'RunWorkflow:publishReceipt',
  ]) {
    expect([...names]).toContain(name)
  }
  const activities = [...names].filter((name) => name.startsWith('StartActivity:')).map((name) => name.split(':')[1])
  expect(activities.length).toBeGreaterThanOrEqual(2)
  for (const activity of activities) expect([...names]).toContain(`RunActivity:${activity}`)
  // Every span but the root has its parent in the same trace.
  const ids = new Set(trace.map(({ spanId }) => spanId))
  for (const { name, parentSpanId } of trace) {
    if (name !== 'POST /sign/digest') expect(ids, name).toContain(parentSpanId)
  }

  const cookie = browser.cookieHeader(new URL(api.url)).split('=')[1] ?? 'none'
  const all = collector.bodies.join('\n')
  for (const secret of [
    cookie,
    signature,
    signature.slice(2),
    '@example.test',
    'Fe26.2',
    'stacktrace',
    'exception.message',
  ]) {
    expect(all.includes(secret), secret.slice(0, 12)).toBe(false)
  }

  // What was recorded with tracing replays without it, and with it.
  const dataConverter = createWorkerDataConverter(parseCodecKeys(testCodecKey, () => undefined))
  for (const { codePath } of [await cachedBundle(), await cachedTracedBundle()]) {
    const workflowBundle = { code: await readFile(codePath, 'utf8') }
    const sinks = { exporter: { export: { fn: () => undefined } } }
    const options = { workflowBundle, dataConverter, sinks }
    await expect(Worker.runReplayHistory(options, history, workflowIds.receipt(slug))).resolves.toBeUndefined()
  }
})

test('a log line names the trace it belongs to', () => {
  const traced = api.logs.filter((line) => line.includes('"route":"/sign/digest"'))
  expect(traced).toHaveLength(1)
  const { traceId } = JSON.parse(traced[0] as string) as { traceId: string }
  expect(collector.spans.some((span) => span.traceId === traceId)).toBe(true)
})
