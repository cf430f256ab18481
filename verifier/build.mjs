// Builds the package @perigee/verifier (or into the folder given) and prints the SHA-256 of its program: one file that
// holds everything it needs, so that one hash covers it and installing it installs nothing else.
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const here = dirname(fileURLToPath(import.meta.url))
const root = dirname(here)

/** @returns {Promise<string>} SHA-256 of the program, hex */
export async function buildVerifier(dir) {
  const result = await build({
    absWorkingDir: root,
    entryPoints: ['verifier/main.ts'],
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
    // CommonJS packages inside the bundle load Node's own modules through require.
    banner: {
      js: "#!/usr/bin/env node\nimport { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  })
  const [{ contents }] = result.outputFiles
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, 'verifier.mjs'), contents, { mode: 0o755 })
  const manifest = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'))
  delete manifest.scripts
  manifest.bin = { 'perigee-verifier': 'verifier.mjs' }
  writeFileSync(join(dir, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  copyFileSync(join(here, 'README.md'), join(dir, 'README.md'))
  copyFileSync(join(root, 'LICENSE'), join(dir, 'LICENSE'))
  return createHash('sha256').update(contents).digest('hex')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(`0x${await buildVerifier(resolve(process.argv[2] ?? join(here, 'dist')))}`)
}
