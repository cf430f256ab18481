import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest, in order. Started first, they do not keep everybody waiting at the end. */
const longest = ['tests/whole.system', 'soak/soak.system', 'tests/browser/pages.slow', 'sdk/package.slow']
/** These start a stack or workers of their own too. All at once they would mostly wait for the same cores: they are spread. */
const spread = ['workflows/crashes.system', 'dev/stack/supervisor.system']
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
  const named = (names: string[]) => names.flatMap((name) => files.filter(({ moduleId }) => moduleId.includes(name)))
  const [first, heavy] = [named(longest), named(spread)]
  const others = files.filter((file) => !first.includes(file) && !heavy.includes(file))
  const step = Math.ceil(others.length / (heavy.length + 3)) // not at the end
  heavy.forEach((file, index) => others.splice((index + 1) * step, 0, file))
  return [...first, ...others]
}

function byEnvironment(files: TestSpecification[]): TestSpecification[] {
  const inBrowser = files.filter(({ moduleId }) => readFileSync(moduleId, 'utf8').includes('@vitest-environment'))
  return [...files.filter((file) => !inBrowser.includes(file)), ...inBrowser]
}
