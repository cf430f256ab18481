import { createRequire } from 'node:module'

/** What the bundle of traced workflows holds beside the workflows. Looked up when asked: a built program has no such file. */
export function tracedModules(): string[] {
  return [createRequire(import.meta.url).resolve('@temporalio/interceptors-opentelemetry/lib/workflow-interceptors')]
}
