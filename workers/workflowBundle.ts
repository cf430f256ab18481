import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker'
import { failureConverterPath, tracedModules } from '../temporal/index.js'

const workflowsPath = fileURLToPath(new URL('../workflows/index.ts', import.meta.url))

/** Where `npm run build` puts the bundle, and where production finds it. */
export const builtBundlePath = fileURLToPath(new URL('../dist/workflows.cjs', import.meta.url))
export const builtTracedBundlePath = fileURLToPath(new URL('../dist/workflowsTraced.cjs', import.meta.url))

/** Bundles the workflows with the same failure converter that workers and clients use. */
export async function bundleWorkflows(workflowInterceptorModules: string[] = []): Promise<{ code: string }> {
  const logger = new DefaultLogger('WARN')
  return bundleWorkflowCode({ workflowsPath, failureConverterPath, workflowInterceptorModules, logger })
}

/** The same with OpenTelemetry in it, for workers that trace: the others do not carry its weight. */
export function bundleTracedWorkflows(): Promise<{ code: string }> {
  return bundleWorkflows(tracedModules())
}
