import { expect, test } from 'vitest'
import { installQuietRuntime } from '../tests/rigs/workers/quietRuntime.js'
import { bundleWorkflows } from './bundle/workflowBundle.js'
import { instrumentBranches } from './testing/instrumentBranches.js'
import { replayHistories } from './testing/replayHistories.js'

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
  const taken = new Set<string>()
  const hit = { fn: (_info: unknown, branch: string) => void taken.add(branch), callDuringReplay: true }
  expect(await replayHistories({ workflowBundle: { code }, sinks: { coverage: { hit } } })).toEqual([])
  const untaken = branches.filter((branch) => !taken.has(branch))
  expect(untaken).toEqual(Object.keys(unreachable))
})
