import { readdir, readFile } from 'node:fs/promises'
import { DeterminismViolationError } from '@temporalio/workflow'
import { Worker } from '@temporalio/worker'
import { installQuietRuntime } from '../tests/rigs/quietRuntime.js'
import { beforeAll, expect, test } from 'vitest'
import { cachedBundle, cachedTracedBundle } from './bundle/cachedBundle.js'
import { createWorkerDataConverter, parseCodecKeys } from './index.js'
import { historiesDir, testCodecKey, workflowIdIn } from './testing/keepHistory.js'

installQuietRuntime()

const files = (await readdir(historiesDir)).filter((name) => name.endsWith('.json'))
const dataConverter = createWorkerDataConverter(parseCodecKeys(testCodecKey, () => undefined))
let code: string
let tracedCode: string

beforeAll(async () => {
  code = await readFile((await cachedBundle()).codePath, 'utf8')
  tracedCode = await readFile((await cachedTracedBundle()).codePath, 'utf8')
}, 120_000)

async function replay(file: string, workflowCode: string): Promise<void> {
  const text = await readFile(`${historiesDir}/${file}`, 'utf8')
  const options = { workflowBundle: { code: workflowCode }, dataConverter }
  await Worker.runReplayHistory(options, JSON.parse(text), workflowIdIn(text))
}

/** All with one worker: a worker for each would take most of a minute. */
async function replayAll(options: Parameters<typeof Worker.runReplayHistories>[0]): Promise<void> {
  async function* histories() {
    for (const file of files) {
      const text = await readFile(`${historiesDir}/${file}`, 'utf8')
      yield { workflowId: workflowIdIn(text), history: JSON.parse(text) as unknown }
    }
  }
  const failed: string[] = []
  let replayed = 0
  for await (const { workflowId, error } of Worker.runReplayHistories({ ...options, dataConverter }, histories())) {
    replayed += 1
    if (error) failed.push(`${workflowId}: ${error.message}`)
  }
  expect(failed).toEqual([])
  expect(replayed).toBe(files.length)
}

test('today’s workflows replay every recorded history', () => replayAll({ workflowBundle: { code } }), 120_000)

test('a worker that traces replays all of them too, although they were recorded without', async () => {
  const sinks = { exporter: { export: { fn: () => undefined } } }
  await replayAll({ workflowBundle: { code: tracedCode }, sinks })
}, 120_000)

test('a workflow that takes another step than it took is found out', async () => {
  const changed = code.replaceAll('pinReceipt', 'doSomethingElse')
  await expect(replay('publish-complete.json', changed)).rejects.toBeInstanceOf(DeterminismViolationError)
})
