import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { markBranches } from './markBranches.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Copies the workflows with a mark in every branch. A replay of a history then shows which branches it takes. */
export async function instrumentBranches() {
  const dir = join(root, '.perigee/branches') // inside the project, so that imports are found, and outside node_modules, whose files are not compiled
  await rm(dir, { recursive: true, force: true })
  const branches: string[] = []
  for (const file of await readdir(join(root, 'workflows'), { recursive: true })) {
    if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue
    const marked = markBranches(basename(file), await readFile(join(root, 'workflows', file), 'utf8'))
    branches.push(...marked.branches)
    const up = dirname(file) === '.' ? '.' : '..'
    await mkdir(dirname(join(dir, file)), { recursive: true })
    await writeFile(join(dir, file), `import { hit as __hit } from '${up}/__hit.js'\n${marked.code}`)
  }
  await writeFile(join(dir, '__hit.ts'), hitModule)
  return {
    /** Path of the changed workflows, to be bundled. */
    workflowsPath: join(dir, 'index.ts'),
    /** Every branch, as `file: line [kind]`. */
    branches,
  }
}

const hitModule = `import { inWorkflowContext, proxySinks, type Sinks } from '@temporalio/workflow'
interface Coverage extends Sinks {
  coverage: { hit(branch: string): void }
}
export function hit(branch: string): void {
  if (inWorkflowContext()) proxySinks<Coverage>().coverage.hit(branch)
}
`
