import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleWorkflows } from '../workflowBundle.js'

/** The workflow bundle, made once per state of the sources: bundling costs seconds, and many test files need it. */
export async function testBundle(): Promise<{ codePath: string }> {
  const hash = createHash('sha256')
  for (const folder of ['workflows', 'core/workflow', 'core/proof', 'core/errors']) {
    const dir = fileURLToPath(new URL(`../../${folder}`, import.meta.url))
    for (const file of (await readdir(dir)).sort()) {
      if (file.endsWith('.ts')) hash.update(file).update(await readFile(join(dir, file)))
    }
  }
  const dir = join(tmpdir(), 'perigee-workflow-bundles')
  const codePath = join(dir, `${hash.digest('hex').slice(0, 32)}.cjs`)
  try {
    await readFile(codePath)
  } catch {
    const { code } = await bundleWorkflows()
    await mkdir(dir, { recursive: true })
    const partial = `${codePath}.${process.pid}`
    await writeFile(partial, code)
    await rename(partial, codePath) // another test process may be doing the same: the last one wins, with equal bytes
  }
  return { codePath }
}
