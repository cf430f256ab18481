import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { documentedRoutes } from '../testing/documentedRoutes.js'
import { createErrorDocs } from './createErrorDocs.js'
import { errorMeanings } from './errorMeanings.js'

test('docs/errors.md is what the catalogue says; if not, run `npm run docs`', async () => {
  expect(await readFile(new URL('../../docs/errors.md', import.meta.url), 'utf8')).toBe(createErrorDocs())
})

test('every code that a route names is explained', () => {
  for (const code of documentedRoutes().flatMap(({ errors = [] }) => errors)) expect(errorMeanings).toHaveProperty(code)
})
