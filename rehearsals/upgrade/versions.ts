import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { findTemporal } from '../../dev/stack/binaries/index.js'
import { waitUntil } from '../../dev/stack/processes/waitUntil.js'
import { silent } from '../../dev/stack/progress.js'
import type { StackFile } from '../../dev/stack/stackFile.js'
import { withTemporal } from '../../soak/withTemporal.js'

export const deployment = 'perigee'

/** `temporal worker deployment …`, as in temporal/RUNBOOK.md. A version exists once its workers poll, so it is repeated. */
async function command(file: StackFile, args: readonly string[]): Promise<void> {
  const program = await findTemporal(process.env, silent)
  const place = ['--address', file.temporalAddress, '--namespace', file.namespace]
  const all = ['worker', 'deployment', ...args, '--deployment-name', deployment, '--yes', ...place]
  const works = () => promisify(execFile)(program, all).then(() => true)
  await waitUntil(`temporal ${args[0]}`, works, { timeoutMs: 60_000, everyMs: 500 })
}

export const makeCurrent = (file: StackFile, build: string) =>
  command(file, ['set-current-version', '--build-id', build])

export const ramp = (file: StackFile, build: string, percent: number) =>
  command(file, ['set-ramping-version', '--build-id', build, '--percentage', String(percent)])

/** On which builds signing runs were, by number of runs; all that match, but at most fifty. */
export const buildsOf = (file: StackFile, query: string): Promise<Record<string, number>> =>
  withTemporal(file, async ({ workflow }) => {
    const builds: Record<string, number> = {}
    let seen = 0
    for await (const { workflowId, runId } of workflow.list({ query: `WorkflowType='signDigest' AND ${query}` })) {
      if (seen++ === 50) break
      const { raw } = await workflow.getHandle(workflowId, runId).describe()
      const build = raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId ?? 'none'
      builds[build] = (builds[build] ?? 0) + 1
    }
    return builds
  })
