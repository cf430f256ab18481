import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { builtBundlePath, builtTracedBundlePath } from '../builtBundle.js'
import { bundleTracedWorkflows, bundleWorkflows } from './workflowBundle.js'

/** Writes the production bundles of the workflows; part of `npm run build`. */
await mkdir(dirname(builtBundlePath), { recursive: true })
await writeFile(builtBundlePath, (await bundleWorkflows()).code)
await writeFile(builtTracedBundlePath, (await bundleTracedWorkflows()).code)
