import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { builtBundlePath, bundleWorkflows } from './workflowBundle.js'

/** Writes the production bundle of the workflows; part of `npm run build`. */
const { code } = await bundleWorkflows()
await mkdir(dirname(builtBundlePath), { recursive: true })
await writeFile(builtBundlePath, code)
