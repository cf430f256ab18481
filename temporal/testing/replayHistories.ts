import { readdir, readFile } from 'node:fs/promises'
import { Worker } from '@temporalio/worker'
import { createWorkerDataConverter } from '../index.js'
import { historiesDir, testCodecKeys, workflowIdIn } from './keepHistory.js'

/** Replays every recorded history, all with one worker: a worker for each would take most of a minute. Returns what failed. */
export async function replayHistories(options: Parameters<typeof Worker.runReplayHistories>[0]): Promise<string[]> {
  const files = (await readdir(historiesDir)).filter((name) => name.endsWith('.json'))
  async function* histories() {
    for (const file of files) {
      const text = await readFile(`${historiesDir}/${file}`, 'utf8')
      yield { workflowId: workflowIdIn(text), history: JSON.parse(text) as unknown }
    }
  }
  const dataConverter = createWorkerDataConverter(testCodecKeys)
  const failed: string[] = []
  let replayed = 0
  for await (const { workflowId, error } of Worker.runReplayHistories({ ...options, dataConverter }, histories())) {
    replayed += 1
    if (error) failed.push(`${workflowId}: ${error.message}`)
  }
  if (replayed !== files.length) failed.push(`replayed ${replayed} of ${files.length} histories`)
  return failed
}
