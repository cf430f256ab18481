import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker'
import { failureConverterPath } from '../temporal/index.js'

const workflowsPath = fileURLToPath(new URL('../workflows/index.ts', import.meta.url))

/** Where `npm run build` puts the bundle, and where production finds it. */
export const builtBundlePath = fileURLToPath(new URL('../dist/workflows.cjs', import.meta.url))

/** Bundles the workflows with the same failure converter that workers and clients use. */
export async function bundleWorkflows(): Promise<{ code: string }> {
  return bundleWorkflowCode({ workflowsPath, failureConverterPath, logger: new DefaultLogger('WARN') })
}
