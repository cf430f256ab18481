import { readdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import type { Client } from '@temporalio/client'
import { parseCodecKeys } from '../codec/codecKeys.js'

/** The codec key of every test, so that recorded histories can be read again. It protects nothing. */
export const testCodecKey = `test:${'5a'.repeat(32)}`
export const testCodecKeys = parseCodecKeys(testCodecKey, (problem) => {
  throw new Error(problem)
})

export const historiesDir = fileURLToPath(new URL('../histories', import.meta.url))

/** Writes the history of a run to `histories/<name>.json` when `npm run histories` asks for it; nothing otherwise. */
export async function keepHistory(client: Client, workflowId: string, name: string): Promise<void> {
  if (process.env.RECORD_HISTORIES !== 'true') return
  const history = await client.workflow.getHandle(workflowId).fetchHistory()
  await writeFile(`${historiesDir}/${name}.json`, JSON.stringify(JSON.parse(historyToJSON(history)), null, 1) + '\n')
}

/** The id of the workflow that a history is of. Histories do not hold it, but its first payload names it. */
export function workflowIdIn(history: string): string {
  const [, id = ''] = /"encryption-workflow-id":\s*"([^"]*)"/.exec(history) ?? []
  return Buffer.from(id, 'base64').toString('utf8')
}

/** The name of every recorded history, by the id of its run. */
export async function historyNames(): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (const file of await readdir(historiesDir)) {
    const [, runId = ''] =
      /"originalExecutionRunId":\s*"([^"]*)"/.exec(await readFile(`${historiesDir}/${file}`, 'utf8')) ?? []
    names.set(runId, file.replace('.json', ''))
  }
  return names
}
