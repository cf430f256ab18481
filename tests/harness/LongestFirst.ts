import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest, in order. Started first, they do not keep everybody waiting at the end. */
const longest = [
  'soak/soak.system',
  'workflows/crashes.system',
  'tests/whole.system',
  'soak/failpoints/failpoints.system',
  'dev/stack/supervisor.system',
  'tests/browser/pages.slow',
  'sdk/package.slow',
]
const projects = ['system', 'slow', 'unit']

/** Project by project, because a process that has loaded the modules of one serves no other; the longest files first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const found = longest.findIndex((name) => moduleId.includes(name))
      return found === -1 ? longest.length : found
    }
    const project = ({ project }: TestSpecification) => projects.indexOf(project.name)
    return (await super.sort(files)).sort((a, b) => project(a) - project(b) || place(a) - place(b))
  }
}
