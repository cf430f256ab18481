import { readdir, readFile } from 'node:fs/promises'
import { Worker } from '@temporalio/worker'
import { expect, test } from 'vitest'
import { installQuietRuntime } from '../tests/rigs/quietRuntime.js'
import { bundleWorkflows } from './bundle/workflowBundle.js'
import { createWorkerDataConverter, parseCodecKeys } from './index.js'
import { instrumentBranches } from './testing/instrumentBranches.js'
import { historiesDir, testCodecKey, workflowIdIn } from './testing/keepHistory.js'

installQuietRuntime()

/** Branches that no history can hold, and why. */
const unreachable: Record<string, string> = {
  'startPublishing.ts: if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error [if]':
    'the server refuses a child’s start for no other reason that a test could bring about',
}

test('every branch of the workflows is taken by a recorded history', async () => {
  const { workflowsPath, branches } = await instrumentBranches()
  expect(branches.length).toBeGreaterThan(20) // otherwise nothing was looked at
  const { code } = await bundleWorkflows([], workflowsPath)
  const files = (await readdir(historiesDir)).filter((name) => name.endsWith('.json'))
  const takenBy = new Map<string, Set<string>>(branches.map((branch) => [branch, new Set()]))
  for (const file of files) {
    const text = await readFile(`${historiesDir}/${file}`, 'utf8')
    const hit = { fn: (_info: unknown, branch: string) => void takenBy.get(branch)?.add(file), callDuringReplay: true }
    await Worker.runReplayHistory(
      {
        workflowBundle: { code },
        sinks: { coverage: { hit } },
        dataConverter: createWorkerDataConverter(parseCodecKeys(testCodecKey, () => undefined)),
      },
      JSON.parse(text),
      workflowIdIn(text),
    )
  }
  const untaken = branches.filter((branch) => takenBy.get(branch)?.size === 0)
  expect(untaken).toEqual(Object.keys(unreachable))
}, 120_000)
