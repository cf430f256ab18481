import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest, in order. Started first, they do not keep everybody waiting at the end. */
const longest = [
  'tests/whole.system',
  'activities/publishing/faults.system',
  'tests/browser/pages.slow',
  'sdk/package.slow',
]
/**
 * These also start a stack or workers of their own, and are spread over the run. Side by side, stacks would compete for the
 * same cores, and tests that kill workers would all wait for time-outs while the cores are idle. The number is the share of
 * the other files that runs before each.
 */
const spread: [string, number][] = [
  ['tests/authority.system', 0.1],
  ['workflows/crashes.system', 0.15],
  ['soak/soak.system', 0.25],
  ['workflows/maintenance/maintenanceCrashes.system', 0.35],
  ['dev/stack/supervisor.system', 0.45],
  ['tests/withdrawnBuild.system', 0.55],
]
const projects = ['system', 'slow', 'unit']

/**
 * Project by project, because a process that has loaded the modules of one serves no other, and in a project those of one
 * environment after those of another, for the same reason; the longest files first.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return projects.flatMap((name) => byEnvironment(inOrder(sorted.filter(({ project }) => project.name === name))))
  }
}

function inOrder(files: TestSpecification[]): TestSpecification[] {
  const named = (name: string) => files.filter(({ moduleId }) => moduleId.includes(name))
  const first = longest.flatMap(named)
  const heavy = spread.map(([name, share]) => ({ share, found: named(name) }))
  const others = files.filter((file) => ![...first, ...heavy.flatMap(({ found }) => found)].includes(file))
  const count = others.length
  for (const { share, found } of heavy.reverse()) others.splice(Math.floor(count * share), 0, ...found)
  return [...first, ...others]
}

function byEnvironment(files: TestSpecification[]): TestSpecification[] {
  const inBrowser = files.filter(({ moduleId }) => readFileSync(moduleId, 'utf8').includes('@vitest-environment'))
  return [...files.filter((file) => !inBrowser.includes(file)), ...inBrowser]
}
