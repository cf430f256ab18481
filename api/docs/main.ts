import { writeFileSync } from 'node:fs'
import { createErrorDocs } from './createErrorDocs.js'

/** `npm run docs`: writes `docs/errors.md`. */
writeFileSync(new URL('../../docs/errors.md', import.meta.url), createErrorDocs())
