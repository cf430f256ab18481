import { expect, test } from 'vitest'
import { installQuietRuntime } from '../tests/rigs/workers/quietRuntime.js'
import { bundleWorkflows } from './bundle/workflowBundle.js'
import { branchHistories } from './testing/branchHistories.js'
import { instrumentBranches } from './testing/instrumentBranches.js'
import { historyNames } from './testing/keepHistory.js'
import { replayHistories } from './testing/replayHistories.js'

installQuietRuntime()

/** Branches that no history can hold, and why. */
const unreachable: Record<string, string> = {
  'startPublishing.ts: if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error [if]':
    'the server refuses a child’s start for no other reason that a test could bring about',
}

test('every branch of the workflows has a recorded history, by name, that takes it', async () => {
  const { workflowsPath, branches } = await instrumentBranches()
  expect(branches.length).toBeGreaterThan(50) // otherwise nothing was marked
  expect(new Set(branches).size).toBe(branches.length) // two of one name could not be told apart

  const { code } = await bundleWorkflows([], workflowsPath)
  const names = await historyNames()
  const takers = new Map(branches.map((branch) => [branch, new Set<string>()]))
  const fn = ({ runId }: { runId: string }, branch: string) => void takers.get(branch)?.add(names.get(runId) ?? runId)
  const sinks = { coverage: { hit: { fn, callDuringReplay: true } } }
  expect(await replayHistories({ workflowBundle: { code }, sinks })).toEqual([])

  const wrong = [...takers].flatMap(([branch, taken]) => {
    if (branch in unreachable) return taken.size === 0 ? [] : [`${branch}: is reached by ${[...taken].join(', ')}`]
    const named = branchHistories[branch]
    if (!named) return [`${branch}: no history is named; ${[...taken].join(', ') || 'none'} takes it`]
    return taken.has(named) ? [] : [`${branch}: ${named} does not take it`]
  })
  const gone = Object.keys({ ...branchHistories, ...unreachable }).filter((branch) => !takers.has(branch))
  expect({ wrong, gone }).toEqual({ wrong: [], gone: [] })
})
