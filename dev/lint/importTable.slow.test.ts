import { ESLint } from 'eslint'
import { expect, test } from 'vitest'

/** Files that nobody wrote, with an import that the table of folders forbids. */
const forbidden = [
  ['clients/probe.ts', `import '../workers/main.js'`],
  ['clients/chain/probe.ts', `import '../../workers/main.js'`],
  ['core/probe.ts', `import 'fs'`],
  ['core/probe.ts', `import 'node:fs'`],
  ['core/probe.ts', `export const at = () => new Date()`],
  ['core/probe.ts', `export const at = () => performance.now()`],
  ['core/probe.ts', `export const later = () => import('../api/main.js')`],
  ['workflows/probe.ts', `export const later = () => import('../database/index.js')`],
  ['core/proof/probe.ts', `export const at = () => new Date()`],
  ['core/proof/probe.ts', `export const shared = [1]`],
  ['api/routes/probe.ts', `import '../../workers/main.js'`],
  ['api/routes/probe.ts', `export const later = () => import('../../workers/main.js')`],
  ['api/probe.mjs', `import '../workers/main.js'`],
  ['temporal/probe.cjs', `require('../workers/main.js')`],
  ['clients/chain/probe.ts', `export const later = () => import('../../workers/main.js')`],
  ['enclave/probe.ts', `export const later = () => import('@noble/secp256k1')`],
  ['sdk/probe.ts', `export const later = () => import('@perigee/core')`],
] as const
const allowed = [
  ['clients/chain/probe.ts', `import '../enclave/createEnclaveClient.js'`],
  ['clients/chain/probe.ts', `export const later = () => import('../enclave/createEnclaveClient.js')`],
  ['core/probe.ts', `export const at = (ms: number) => new Date(ms)`],
] as const

test('ESLint refuses what the table of folders forbids, however it is written', async () => {
  // Rules that need types are off: these files are in no project.
  const eslint = new ESLint({
    overrideConfig: {
      languageOptions: { parserOptions: { projectService: false } },
      rules: {
        '@typescript-eslint/no-floating-promises': 'off',
        '@typescript-eslint/no-misused-promises': 'off',
        '@typescript-eslint/switch-exhaustiveness-check': 'off',
      },
    },
  })
  const problems = async ([filePath, text]: readonly [string, string]) =>
    (await eslint.lintText(`${text}\n`, { filePath })).flatMap(({ messages }) => messages)
  for (const probe of forbidden) expect([probe, (await problems(probe)).length]).toEqual([probe, 1])
  for (const probe of allowed) expect([probe, await problems(probe)]).toEqual([probe, []])
})
