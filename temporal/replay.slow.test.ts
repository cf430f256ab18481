import { readFile } from 'node:fs/promises'
import { DeterminismViolationError } from '@temporalio/workflow'
import { Worker } from '@temporalio/worker'
import { installQuietRuntime } from '../tests/rigs/workers/quietRuntime.js'
import { beforeAll, expect, test } from 'vitest'
import { cachedBundle, cachedTracedBundle } from './bundle/cachedBundle.js'
import { createWorkerDataConverter, parseCodecKeys } from './index.js'
import { historiesDir, testCodecKey, workflowIdIn } from './testing/keepHistory.js'
import { replayHistories } from './testing/replayHistories.js'

installQuietRuntime()

const dataConverter = createWorkerDataConverter(parseCodecKeys(testCodecKey, () => undefined))
let code: string
let tracedCode: string

beforeAll(async () => {
  code = await readFile((await cachedBundle()).codePath, 'utf8')
  tracedCode = await readFile((await cachedTracedBundle()).codePath, 'utf8')
})

async function replay(file: string, workflowCode: string): Promise<void> {
  const text = await readFile(`${historiesDir}/${file}`, 'utf8')
  const options = { workflowBundle: { code: workflowCode }, dataConverter }
  await Worker.runReplayHistory(options, JSON.parse(text), workflowIdIn(text))
}

test('today’s workflows replay every recorded history', async () => {
  expect(await replayHistories({ workflowBundle: { code } })).toEqual([])
})

test('a worker that traces replays all of them too, although they were recorded without', async () => {
  const sinks = { exporter: { export: { fn: () => undefined } } }
  expect(await replayHistories({ workflowBundle: { code: tracedCode }, sinks })).toEqual([])
})

test('a workflow that takes another step than it took is found out', async () => {
  const changed = code.replaceAll('pinReceipt', 'doSomethingElse')
  await expect(replay('publish-complete.json', changed)).rejects.toBeInstanceOf(DeterminismViolationError)
})

test.each([
  ['is not encrypted', { metadata: { encoding: 'anNvbi9wbGFpbg==' }, data: 'e30=' }],
  ['was made for another workflow', null],
])('a step’s result that %s is refused, so that nothing follows from it', async (_, forged) => {
  const history = JSON.parse(await readFile(`${historiesDir}/owners.json`, 'utf8')) as History
  const other = JSON.parse(await readFile(`${historiesDir}/owners-retried.json`, 'utf8')) as History
  const [, verified] = steps(history)
  const [, elsewhere] = steps(other)
  if (!verified || !elsewhere) throw new Error('the history of a change of owners has three steps')
  verified.payloads = forged ? [forged] : elsewhere.payloads
  const text = JSON.stringify(history)
  const options = { workflowBundle: { code }, dataConverter }
  await expect(Worker.runReplayHistory(options, history, workflowIdIn(text))).rejects.toBeInstanceOf(
    DeterminismViolationError,
  )
})

interface History {
  events: { markerRecordedEventAttributes?: { details: { result: { payloads: unknown[] } } } }[]
}

/** The results of a run's local activities, in order. */
const steps = ({ events }: History) =>
  events.flatMap(({ markerRecordedEventAttributes: marker }) => (marker ? [marker.details.result] : []))
