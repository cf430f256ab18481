import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker'
import { failureConverterPath } from '../dataConverter.js'

const ourWorkflows = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url))
const refuseForeignInput = fileURLToPath(new URL('../codec/refuseForeignInput.ts', import.meta.url))

/**
 * Bundles the workflows with the same failure converter that workers and clients use. A workflow thread evaluates them and
 * Temporal's library once, not again for every workflow, so they must keep no state between calls. `npm run lint` checks
 * that ours do not (eslint.config.js).
 */
export async function bundleWorkflows(
  moreInterceptors: string[] = [],
  workflowsPath = ourWorkflows,
): Promise<{ code: string }> {
  const preloadModules = ['@temporalio/workflow', failureConverterPath, workflowsPath]
  const workflowInterceptorModules = [refuseForeignInput, ...moreInterceptors]
  const logger = new DefaultLogger('WARN')
  return bundleWorkflowCode({ workflowsPath, failureConverterPath, workflowInterceptorModules, preloadModules, logger })
}

/**
 * The same with OpenTelemetry in it, for workers that trace: the others do not carry its weight. Its module is looked up here
 * because a built program has no such file.
 */
export function bundleTracedWorkflows(): Promise<{ code: string }> {
  return bundleWorkflows([
    createRequire(import.meta.url).resolve('@temporalio/interceptors-opentelemetry/lib/workflow-interceptors'),
  ])
}
