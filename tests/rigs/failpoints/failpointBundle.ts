import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { cachedBundle } from '../../../temporal/bundle/cachedBundle.js'
import { bundleWorkflows } from '../../../temporal/bundle/workflowBundle.js'

const interceptors = fileURLToPath(new URL('./failpointInterceptors.ts', import.meta.url))

/** The workflows with `failpointInterceptors.ts`. Made before the first worker starts: in a worker it takes a minute. */
export function failpointBundle(): Promise<{ codePath: string }> {
  const hash = createHash('sha256').update(readFileSync(interceptors)).digest('hex').slice(0, 16)
  const dir = fileURLToPath(new URL(`../../../node_modules/.cache/perigee-failpoints-${hash}`, import.meta.url))
  return cachedBundle(dir, () => bundleWorkflows([interceptors]))
}
