import { join } from 'node:path'
import { buildPackage } from './buildPackage.js'

// `npm pack sdk/dist` then makes the tarball, `npm publish sdk/dist` publishes it.
await buildPackage(join(import.meta.dirname, '..', 'dist'))
