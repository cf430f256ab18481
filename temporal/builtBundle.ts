import { fileURLToPath } from 'node:url'

// Relative to temporal/ in the source and to dist/ in the built programs: both are one folder below the root.
/** Where `npm run build` puts the workflows, and where production finds them. */
export const builtBundlePath = fileURLToPath(new URL('../dist/workflows.cjs', import.meta.url))
export const builtTracedBundlePath = fileURLToPath(new URL('../dist/workflowsTraced.cjs', import.meta.url))
